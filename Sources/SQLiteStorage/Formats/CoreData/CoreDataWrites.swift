import Modeling
import SQLite

/// The further changes that the store's own triggers make when rows of a Core Data store are written.
struct CoreDataWrites {
  /// Why rows cannot be written, found before the first change; nil if they can.
  private(set) var obstacle: CoreDataObstacle?
  /// The virtual tables that triggers write. Their content is derived from rows and cannot be followed, so that saves
  /// cannot be undone.
  private(set) var virtualTables: [String] = []

  /// Compiles statements for all tables of objects and pairs.
  init(_ links: CoreDataLinks, _ connection: Connection) throws(StoreError) {
    CoreDataStore.installTriggerFunctions(on: connection)
    let tables = links.roots.map(\.table) + links.pairs.values.map(\.table).sorted()
    var written: [String: String?] = [:]
    for table in tables {
      do throws(StoreError) {
        written.merge(try Self.writes(of: table, connection)) { $0 ?? $1 }
      } catch {
        guard case .sql(let message, _, _) = error.fact else { throw error }
        obstacle = .notCompiled(table: table, reason: message)
        return
      }
    }
    let own = Set(tables.map(asciiLowercased))
    for (name, trigger) in written.sorted(by: { $0.key < $1.key }) where !own.contains(asciiLowercased(name)) {
      switch try connection.first("SELECT type FROM pragma_table_list(?) WHERE schema = 'main'", [.string(name)]) {
      case .string("virtual"): virtualTables.append(name)
      case .string("table"):
        guard try TableShape(name, connection, isComputed: { _ in false }) == nil else { continue }
        obstacle = .untraceable(table: name, trigger: trigger)
      default: break
      }
    }
  }

  /// The tables that inserting, deleting and updating each column of a table would write.
  private static func writes(of table: String, _ connection: Connection) throws(StoreError) -> [String: String?] {
    let columns = try connection.all("SELECT name FROM pragma_table_info(?)", [.string(table)])
    let settings = columns.compactMap { row -> String? in
      guard case .string(let name) = row[0] else { return nil }
      return "\(quotedName(name)) = \(quotedName(name))"
    }
    let name = quotedName(table)
    return try TableWrites(
      of: [
        "INSERT INTO \(name) DEFAULT VALUES", "UPDATE \(name) SET \(settings.joined(separator: ", "))",
        "DELETE FROM \(name)",
      ], on: connection
    ).tables
  }
}
