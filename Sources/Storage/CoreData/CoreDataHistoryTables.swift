import Modeling

/// The tables in which an app of Core Data keeps its history, in either of their layouts.
struct CoreDataHistoryTables {
  /// The numbers by which the history's own rows are counted in `Z_PRIMARYKEY`.
  struct Numbers {
    var change: Int64 = 16001
    var transaction: Int64 = 16002
    var string: Int64 = 16003
  }

  /// Whether names stand in a table of their own; else in the transaction's row.
  let hasStrings: Bool
  /// How many columns a change has for values of deleted objects.
  let tombstoneCount: Int
  let numbers: Numbers

  static let change = "ACHANGE"
  static let transaction = "ATRANSACTION"
  static let string = "ATRANSACTIONSTRING"

  /// Looks for the tables; nil where the app keeps no history.
  init?(_ connection: Connection) throws(StoreError) {
    let names = try connection.all(
      "SELECT upper(name) FROM sqlite_schema WHERE type = 'table' AND upper(name) IN (?, ?, ?)",
      [.string(Self.change), .string(Self.transaction), .string(Self.string)]
    ).map { $0[0] }
    guard names.contains(.string(Self.change)), names.contains(.string(Self.transaction)) else { return nil }
    let columns = try connection.all("SELECT upper(name) FROM pragma_table_info('ATRANSACTION')").map { $0[0] }
    hasStrings = names.contains(.string(Self.string)) && columns.contains(.string("ZAUTHORTS"))
    let tombstones = try connection.all(
      "SELECT name FROM pragma_table_info('ACHANGE') WHERE upper(name) GLOB 'ZTOMBSTONE[0-9]*'")
    tombstoneCount = tombstones.count
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

  /// The columns of a transaction with who made it: author, context, bundle, process.
  var sources: String {
    guard hasStrings else { return "t.ZAUTHOR, t.ZCONTEXTNAME, t.ZBUNDLEID, t.ZPROCESSID" }
    func name(_ column: String, _ plain: String) -> String {
      "coalesce((SELECT ZNAME FROM \(Self.string) WHERE Z_PK = t.\(column)), t.\(plain))"
    }
    return [
      name("ZAUTHORTS", "ZAUTHOR"), name("ZCONTEXTNAMETS", "ZCONTEXTNAME"), name("ZBUNDLEIDTS", "ZBUNDLEID"),
      name("ZPROCESSIDTS", "ZPROCESSID"),
    ].joined(separator: ", ")
  }

  /// The condition that a transaction's author, or context, has a name, which is the one parameter.
  func condition(isAuthor: Bool) -> String {
    let plain = isAuthor ? "ZAUTHOR" : "ZCONTEXTNAME"
    if !hasStrings { return "t.\(plain) = ?" }
    return "coalesce((SELECT ZNAME FROM \(Self.string) WHERE Z_PK = t.\(plain)TS), t.\(plain)) = ?"
  }
}
