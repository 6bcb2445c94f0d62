import AppleModels
import Foundation
import Modeling
import SQLite

// New stores with the tables of one that the framework made.
extension CoreDataStore {
  /// Makes the tables, with the model and the metadata that the framework expects. The new store is another one for the
  /// framework: it has its own identifier, no history, and of the metadata nothing that the app has added.
  func makeTables(in connection: Connection, like store: SQLiteStore) throws(StoreError) -> [String] {
    Self.installTriggerFunctions(on: connection)
    let late = try connection.copySchema(of: store.connection)
    for row in try store.connection.all("SELECT Z_VERSION, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1") {
      try connection.run(
        "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (?, ?, ?)",
        [row[0], .string(UUID.random().uuidString), Self.ownMetadata(row[1])])
    }
    for row in try store.connection.all("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY") {
      try connection.run("INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)", row)
    }
    let hasModel = try connection.first("SELECT 1 FROM sqlite_schema WHERE name = 'Z_MODELCACHE'") != nil
    for row in hasModel ? try store.connection.all("SELECT Z_CONTENT FROM Z_MODELCACHE") : [] {
      try connection.run("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", row)
    }
    return late
  }

  /// The fields of the metadata that the framework wrote. Apps add theirs, even the tokens of sessions.
  private static func ownMetadata(_ value: Value) -> Value {
    guard case .data(let bytes) = value, let list = try? BinaryPropertyList(bytes) else { return .null }
    return .data(list.bytes { $0.hasPrefix("NS") || $0.hasPrefix("_NS") })
  }
}
