import Foundation
import Modeling
import SQLite

/// A store's metadata in Perilune's own format: the table `_perilune` of keys and values.
struct StoreMetadata {
  /// The version of everything that is laid out by ModelLayout; a store with a greater one is refused.
  static let formatVersion = 1
  /// `Peri`, in the file's header: lets `file` and other programs recognize such stores without opening them.
  static let applicationID = 0x5065_7269

  var version = formatVersion
  var uuid = UUID.random()
  var created = Timestamp.now
  /// The model, as Model.encoded() writes it.
  var model: String

  /// Describes a new store with `model`.
  init(model: String) { self.model = model }

  /// Reads the table of an open store.
  init(_ connection: Connection) throws(StoreError) {
    var values: [String: Value] = [:]
    for row in try connection.all("SELECT key, value FROM \(BookTables.metadata)") {
      if case .string(let key) = row[0] { values[key] = row[1] }
    }
    guard case .int(let version) = values["version"] else {
      throw StoreError(.corrupt("\(BookTables.metadata) has no version"), path: connection.path)
    }
    guard version <= Self.formatVersion else {
      throw StoreError(.newerStore(version: Int(version)), path: connection.path)
    }
    guard case .string(let model) = values["model"] else {
      throw StoreError(.corrupt("\(BookTables.metadata) has no model"), path: connection.path)
    }
    self.version = Int(version)
    self.model = model
    if case .string(let text) = values["uuid"], let uuid = UUID(uuidString: text) { self.uuid = uuid }
    if case .double(let seconds) = values["created"] { created = Timestamp(seconds) }
  }

  /// Writes everything; creates the table if necessary.
  func write(_ connection: Connection) throws(StoreError) {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(BookTables.metadata) (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
      PRAGMA application_id = \(Self.applicationID)
      """)
    let values: [(String, Value)] = [
      ("version", .int(Int64(version))), ("uuid", .uuid(uuid)), ("created", .date(created)), ("model", .string(model)),
    ]
    for (key, value) in values {
      try connection.run("INSERT OR REPLACE INTO \(BookTables.metadata) VALUES (?, ?)", [.string(key), value])
    }
  }
}
