import Layouts
import Modeling
import Postgres
import StoreErrors
import Stores

/// What a store of our own knows about itself: the table `_perilune` of keys and values.
struct PostgresMetadata {
  /// The version of everything that `PostgresSchemaInstaller` lays out; a store with a greater one is refused.
  static let formatVersion: Int64 = 1

  let version: Int64
  /// The model, as `Model.encoded()` writes it.
  let model: String

  /// Reads the table; nil where the database has none.
  init?(_ pool: PostgresPool) throws {
    let table = BookTables.metadata
    let found = try pool.run("SELECT to_regclass(\(.text(quoted(table)))) IS NOT NULL")
    guard found.bool(0, 0) else { return nil }
    let rows = try pool.run("SELECT key, value FROM \(name: table)")
    var values: [String: String] = [:]
    for row in 0..<rows.rowCount { values[rows.text(row, 0)] = rows.text(row, 1) }
    let path = pool.address.shown
    guard let version = values["version"].flatMap({ Int64($0) }), let model = values["model"] else {
      throw StoreError(.corrupt("\(table) has no version or no model"), path: path)
    }
    guard version <= Self.formatVersion else { throw StoreError(.newerStore(version: Int(version)), path: path) }
    (self.version, self.model) = (version, model)
  }

  /// The statements that make the table for a model.
  static func statements(_ model: Model) -> [PostgresSQL] {
    let table = BookTables.metadata
    return [
      "CREATE TABLE \(name: table) (key text PRIMARY KEY, value text NOT NULL)",
      """
      INSERT INTO \(name: table) VALUES ('version', \(.text("\(formatVersion)"))), \
      ('created', now()::text), ('model', \(.text(model.encoded())))
      """,
    ]
  }

  func decoded(path: String) throws -> Model {
    do {
      return try Model(encoded: model)
    } catch ModelCodingError.unknownVersion(let version, _) {
      throw StoreError(.newerStore(version: Int(version)), path: path)
    } catch {
      throw StoreError(.corrupt("the model in \(BookTables.metadata) cannot be read: \(error)"), path: path)
    }
  }
}
