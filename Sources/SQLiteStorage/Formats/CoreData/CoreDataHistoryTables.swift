import Modeling
import SQLite

/// The tables in which a Core Data app keeps its history, in either of their two layouts.
struct CoreDataHistoryTables {
  /// The entity numbers of the history's own rows in `Z_PRIMARYKEY`.
  struct Numbers {
    var change: Int64 = 16001
    var transaction: Int64 = 16002
    var string: Int64 = 16003
  }

  /// Whether names are in a table of their own rather than in the transaction's row.
  let hasStrings: Bool
  /// The columns of a change that hold values of deleted objects, in order.
  let tombstones: [String]
  /// The columns of the transaction table, in capitals.
  private let columns: Set<Value>
  let numbers: Numbers

  static let change = "ACHANGE"
  static let transaction = "ATRANSACTION"
  static let string = "ATRANSACTIONSTRING"

  /// Finds the tables; returns nil if the app keeps no history.
  init?(_ connection: Connection) throws(StoreError) {
    let names = try connection.all(
      "SELECT upper(name) FROM sqlite_schema WHERE type = 'table' AND upper(name) IN (?, ?, ?)",
      [.string(Self.change), .string(Self.transaction), .string(Self.string)]
    ).map { $0[0] }
    guard names.contains(.string(Self.change)), names.contains(.string(Self.transaction)) else { return nil }
    columns = Set(try connection.all("SELECT upper(name) FROM pragma_table_info('ATRANSACTION')").map { $0[0] })
    hasStrings = names.contains(.string(Self.string)) && columns.contains(.string("ZAUTHORTS"))
    tombstones = try Self.tombstones(connection)
    var numbers = Numbers()
    for row in try connection.all(
      "SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT >= ?",
      [
        .int(CoreDataSchema.firstHistoryNumber)
      ])
    {
      guard case .int(let number) = row[0], case .string(let name) = row[1] else { continue }
      switch name.uppercased() {
      case "CHANGE": numbers.change = number
      case "TRANSACTION": numbers.transaction = number
      case "TRANSACTIONSTRING": numbers.string = number
      default: break
      }
    }
    self.numbers = numbers
  }

  private static func tombstones(_ connection: Connection) throws(StoreError) -> [String] {
    let sql = "SELECT name FROM pragma_table_info('ACHANGE') WHERE upper(name) GLOB 'ZTOMBSTONE[0-9]*'"
    var found: [(place: Int, name: String)] = []
    for row in try connection.all(sql) {
      guard case .string(let name) = row[0], let place = Int(name.dropFirst("ZTOMBSTONE".count)) else { continue }
      found.append((place, name))
    }
    return found.sorted { $0.place < $1.place }.map { quotedName($0.name) }
  }

  /// The columns that identify a transaction's source: author, context, bundle, process.
  private static let sourceColumns = ["ZAUTHOR", "ZCONTEXTNAME", "ZBUNDLEID", "ZPROCESSID"]

  /// The expressions of a transaction's source, in the order of `sourceColumns`; NULL for columns that the file lacks.
  var sources: String { Self.sourceColumns.map(source).joined(separator: ", ") }

  private func source(_ column: String) -> String {
    var places: [String] = []
    if hasStrings, has(column + "TS") {
      places.append("(SELECT ZNAME FROM \(Self.string) WHERE Z_PK = t.\(column)TS)")
    }
    if has(column) { places.append("t.\(column)") }
    return places.count == 2 ? "coalesce(\(places[0]), \(places[1]))" : places.first ?? "NULL"
  }

  /// Whether the transaction table has the column.
  func has(_ column: String) -> Bool { columns.contains(.string(column)) }

  /// The condition that a transaction's author, or context, equals the one parameter.
  func condition(isAuthor: Bool) -> String { "\(source(isAuthor ? "ZAUTHOR" : "ZCONTEXTNAME")) = ?" }
}
