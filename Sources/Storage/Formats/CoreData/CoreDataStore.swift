import Modeling
import SQLite

/// What is particular to a Core Data store.
struct CoreDataStore {
  /// The columns of the framework's own tables.
  private static let bookkeeping = [
    ("Z_METADATA", ["Z_VERSION", "Z_UUID", "Z_PLIST"]), ("Z_PRIMARYKEY", ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]),
  ]

  /// What of the framework's tables a file does not have; empty where it is such a store.
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
  /// The number of each entity, as `Z_ENT` holds it.
  let numbers: [Entity: Int64]
  /// The entities by number.
  let entities: [Int64: Entity]
  /// The name that `Z_PRIMARYKEY` has for each number.
  let registeredNames: [Int64: String]
  /// For each entity the names of the properties that its history tells of, in the order of their bits.
  let recordedProperties: [Entity: [String]]
  let links: CoreDataLinks
  let externalData: ExternalData
  /// The files that the transaction under way writes and lets go.
  let externalFiles: ExternalFiles
  /// The columns whose data may stand in files.
  let externalColumns: [(table: String, column: String)]
  /// The entities whose objects cannot be written, and why.
  let obstacles: [Entity: CoreDataObstacle]
  /// Whether the model is more than what the tables tell.
  let isOwnModel: Bool
  /// What the rows of the connection's own transactions are called in the history.
  let ownTransactions = OwnTransactions()

  init(_ layout: CoreDataLayout, isOwnModel: Bool, path: String) {
    self.isOwnModel = isOwnModel
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

  /// The number of the entity by which keys of its table are counted.
  func rootNumber(of entity: Entity) -> Int64 { numbers[entity.root] ?? 0 }

  /// The transactions of the history that the connection itself has written.
  final class OwnTransactions {
    var numbers: Set<Int64> = []
  }
}
