import Modeling
import SQLite

/// The state and bookkeeping that are specific to a Core Data store.
struct CoreDataStore {
  /// The columns of the framework's own tables.
  private static let bookkeeping = [
    ("Z_METADATA", ["Z_VERSION", "Z_UUID", "Z_PLIST"]), ("Z_PRIMARYKEY", ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]),
  ]

  /// The parts of the framework's tables that a file lacks; empty if it is a Core Data store.
  static func missingBookkeeping(_ connection: Connection) throws(StoreError) -> [String] {
    var missing: [String] = []
    for (table, columns) in bookkeeping {
      let rows = try connection.all("SELECT name FROM pragma_table_info(?)", [.string(table)])
      if rows.isEmpty {
        missing.append(table)
      } else {
        missing += columns.filter { column in !rows.contains { $0[0] == .string(column) } }.map { "\(table).\($0)" }
      }
    }
    return missing
  }

  let metadata: CoreDataMetadata
  /// The number of each entity in `Z_ENT`.
  let numbers: [Entity: Int64]
  /// The entities by number.
  let entities: [Int64: Entity]
  /// The name in `Z_PRIMARYKEY` for each number.
  let registeredNames: [Int64: String]
  /// For each entity the names of the properties in its history, in the order of their bits.
  let recordedProperties: [Entity: [String]]
  let links: CoreDataLinks
  let externalData: ExternalData
  /// The external files that the open transaction writes and releases.
  let externalFiles: ExternalFiles
  /// The columns whose data may be in external files.
  let externalColumns: [(table: String, column: String)]
  /// The entities whose objects cannot be written, with the reasons.
  let obstacles: [Entity: CoreDataObstacle]
  /// The fit of the model to the file, and the obstacles to writing by it.
  let layout: CoreDataLayout
  /// The numbers of the connection's own transactions in the history.
  let ownTransactions = OwnTransactions()

  init(_ layout: CoreDataLayout, path: String) {
    self.layout = layout
    metadata = layout.schema.metadata
    numbers = layout.numbers
    entities = Dictionary(layout.numbers.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    registeredNames = Dictionary(
      layout.schema.registrations.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    recordedProperties = layout.recordedProperties
    links = CoreDataLinks(layout.model, layout.layouts)
    externalData = ExternalData(store: path)
    externalFiles = ExternalFiles(externalData)
    obstacles = layout.obstacles
    externalColumns = Self.externalColumns(layout)
  }

  private static func externalColumns(_ layout: CoreDataLayout) -> [(table: String, column: String)] {
    var found: [(table: String, column: String)] = []
    for entity in layout.model.entities {
      guard let layout = layout.layouts[entity] else { continue }
      for column in layout.columns where column.encoding == .externalData {
        if !found.contains(where: { $0 == (layout.table, column.name) }) { found.append((layout.table, column.name)) }
      }
    }
    return found
  }

  /// The entity number under which the keys of an entity's table are counted.
  func rootNumber(of entity: Entity) -> Int64 { numbers[entity.root] ?? 0 }

  /// The history's transactions that this connection has written.
  final class OwnTransactions {
    var numbers: Set<Int64> = []
  }
}
