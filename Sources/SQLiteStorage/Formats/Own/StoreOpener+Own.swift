import Modeling
import SQLite

extension StoreOpener {
  mutating func install() throws -> (model: Model, layouts: [Entity: EntityLayout]) {
    format = OwnFormat()
    let model = try options.model ?? Model([])
    let layout: ModelLayout
    do { layout = try ModelLayout(model) } catch {
      connection.close()
      if isNew { StoreFile(path: options.path).removeEmpty() }
      throw error
    }
    try configureOwn()
    // Another process may have created the store in the meantime. Then open it.
    guard try SchemaInstaller(connection).install(layout) else { return try open() }
    return (model, layout.layouts)
  }

  mutating func openOwn() throws -> (model: Model, layouts: [Entity: EntityLayout]) {
    format = OwnFormat()
    let metadata = try StoreMetadata(connection)
    if !isReadOnly { try configureOwn() }
    if !options.path.hasPrefix(":") {
      notes += MigrationBackup.notes(beside: options.path, metadata)
    }
    guard let wanted = options.model else {
      let whole = try decoded(metadata)
      let stored = try hiding(whole) { ModelLayout(layoutsOf: whole).layouts }
      return (stored, ModelLayout(layoutsOf: stored).layouts)
    }
    if wanted.encoded() == metadata.model { return (wanted, ModelLayout(layoutsOf: wanted).layouts) }
    return (wanted, try migrate(metadata, to: wanted).layouts)
  }

  func decoded(_ metadata: StoreMetadata) throws -> Model {
    do {
      return try Model(encoded: metadata.model)
    } catch ModelCodingError.unknownVersion(let version, _) {
      throw StoreError(.newerStore(version: Int(version)), path: options.path)
    } catch {
      throw StoreError(.corrupt("the model in \(BookTables.metadata) cannot be read: \(error)"), path: options.path)
    }
  }

  /// Sets the options of every writing connection to a store of our own. The journal mode persists in the file, the
  /// rest does not.
  func configureOwn() throws(StoreError) {
    var mode = try connection.first("PRAGMA journal_mode")
    if mode != .string("wal") {
      // Opening a store does not change it.
      if isNew {
        mode = try connection.beginLog()
      } else {
        connection.beginsLogAtFirstWrite = true
      }
    }
    // Without a write-ahead log, NORMAL could lose the whole file in a power cut, not only the last saves.
    let synchronous = options.durable || mode != .string("wal") ? "FULL" : "NORMAL"
    try connection.execute("PRAGMA synchronous = \(synchronous); PRAGMA foreign_keys = ON")
  }
}
