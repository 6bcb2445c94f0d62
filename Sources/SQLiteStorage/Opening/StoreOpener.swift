import Modeling
import Queries
import SQLite

/// Opens a store: makes a connection, a format, a model and layouts from a path.
///
/// The opener connects first, which finds obstacles to reading or writing. Then it recognizes the file's format by its
/// tables. The format's part (`openOwn`, `introspect`, `openCoreData`) returns the model and the layouts, and may
/// migrate a store of our own. Opening reads only what it needs: for a store of our own, its schema and its metadata.
struct StoreOpener {
  let options: StoreOptions
  var connection: Connection
  var format: any StoreFormat = PlainFormat()
  var notes: [String] = []
  var migration: MigrationReport?
  let isNew: Bool
  /// The columns of hidden properties, by their tables.
  var hiddenColumns: [(table: String, column: String)] = []
  /// Whether another program had the database open, as far as the files next to it show.
  let hadLogFiles: Bool

  /// Connects to the file, or creates it.
  init(_ options: StoreOptions) throws(StoreError) {
    self.options = options
    let file = StoreFile(path: options.path)
    let exists = try file.exists()
    isNew = !exists
    hadLogFiles = exists && file.hasLogFiles
    if !exists, !file.isInMemory {
      guard options.create else {
        throw StoreError(options.offersCreation ? .notFound : .nothingToOpen, path: options.path)
      }
      guard !options.readOnly else { throw StoreError(.cannotCreate("opened read-only"), path: options.path) }
      try file.checkCreatable()
    }
    if exists, file.cannotBeReadInPlace {
      (connection, notes) = try Self.connectWithoutWriting(options, file)
      return
    }
    do {
      let isFilled = options.contents != nil || options.dump != nil
      connection = try Connection(
        options.path, Self.connectionOptions(options, readOnly: options.readOnly && !isFilled))
      if let contents = options.contents as? SQLiteStore { try contents.connection.copy(to: connection) }
      if let dump = options.dump { try connection.run(dump: dump.text, limit: dump.limit) }
      if options.readOnly, isFilled { try connection.execute("PRAGMA query_only = ON") }
    } catch {
      if case .unfinishedChange(let pages) = error.fact, options.readOnly {
        (connection, notes) = try Self.connectToStateBefore(pages, options)
        return
      }
      if case .inputOutput(let message) = error.fact, !exists {
        throw StoreError(.cannotCreate(message), path: options.path)
      }
      throw StoreError(file.diagnosis(of: error.fact), path: options.path)
    }
  }

  static func connectionOptions(
    _ options: StoreOptions, readOnly: Bool, immutable: Bool = false
  ) -> Connection.Options {
    Connection.Options(
      readOnly: readOnly, immutable: immutable, takesBackUnfinished: options.writesCoreData,
      busyTimeout: options.busyTimeout, isConfined: options.isConfined, isInterrupted: options.isInterrupted)
  }

  /// Connects to a private copy of the file, in which an interrupted transaction of another program is rolled back.
  private static func connectToStateBefore(
    _ pages: Int, _ options: StoreOptions
  ) throws(StoreError) -> (Connection, [String]) {
    let copy = try PrivateCopy(of: options.path)
    defer { copy.remove() }
    do {
      var writing = connectionOptions(options, readOnly: false)
      writing.takesBackUnfinished = true
      try Connection(copy.path, writing, name: options.path).close()
    } catch {
      throw StoreError(StoreFile(path: copy.path).diagnosis(of: error.fact), path: options.path)
    }
    let connection = try Connection(copy.path, connectionOptions(options, readOnly: true), name: options.path)
    _ = try connection.first("SELECT count(*) FROM sqlite_schema")
    let what = pages == 0 ? "A change" : "A change of \(pages == 1 ? "1 page" : "\(pages) pages")"
    let note =
      "\(what) was cut off, and '\(options.path)-journal' lies beside the file: a copy without that change is read, and"
      + " changes by others are not seen."
    return (connection, [note])
  }

  /// Opens a file in a folder that cannot be written, where SQLite cannot create the files of a write-ahead log. If the
  /// log is empty, the file itself is read; otherwise a private copy, because the log's content is part of the store.
  private static func connectWithoutWriting(
    _ options: StoreOptions, _ file: StoreFile
  ) throws(StoreError) -> (Connection, [String]) {
    let place = file.isInForeignFolder ? "folder" : "file"
    if file.isCleanWAL {
      let note = "The \(place) cannot be written: the file is read as it is, and changes by others are not seen."
      return (try Connection(options.path, connectionOptions(options, readOnly: true, immutable: true)), [note])
    }
    let copy = try PrivateCopy(of: options.path)
    defer { copy.remove() }
    let connection = try Connection(copy.path, connectionOptions(options, readOnly: true), name: options.path)
    // After this read SQLite has the files open and no longer needs their names.
    _ = try connection.first("SELECT count(*) FROM sqlite_schema")
    let note =
      "The \(place) cannot be written: a copy of the file and its write-ahead log is read, and changes by others are not seen."
    return (connection, [note])
  }

  /// The model without hidden properties, whose columns in these layouts are noted.
  mutating func hiding(_ model: Model, in layouts: () throws -> [Entity: EntityLayout]) throws -> Model {
    guard !options.hidden.isEmpty else { return model }
    let reduced = try model.hiding(options.hidden)
    for (entity, layout) in try layouts() {
      for (index, property) in entity.properties.enumerated()
      where reduced.entity(named: entity.name)?.index(of: property.name) == nil {
        let columns = layout.properties[index].ownColumns.flatMap { layout.columns[$0].storedNames }
        hiddenColumns += columns.map { (layout.table, $0) }
      }
    }
    return reduced
  }

  var isReadOnly: Bool { options.readOnly || connection.isReadOnly }

  /// The reason why the store is read-only; nil if it is not.
  var readOnlyFact: StoreError.Fact {
    if options.readOnly { return .readOnly }
    return format.refusesWriting(options) ?? .notWritable(StoreFile(path: options.path).writeObstacle)
  }

  /// Recognizes the file's format, and returns the model and the layouts.
  mutating func open() throws -> (model: Model, layouts: [Entity: EntityLayout]) {
    try options.model?.checkFetchRequestTemplates()
    connection.addFunctions = SQLFunctions().install
    let tables = Set(try connection.all("SELECT name FROM sqlite_schema WHERE type = 'table'").map { $0[0] })
    if tables.contains(.string(BookTables.metadata)) { return try openOwn() }
    if tables.isEmpty, !isReadOnly, isNew || options.model != nil { return try install() }
    if tables.contains(.string("Z_METADATA")) || tables.contains(.string("Z_PRIMARYKEY")) {
      let missing = try CoreDataStore.missingBookkeeping(connection)
      if missing.isEmpty { return try openCoreData(tables) }
      // A table may have such a name by chance.
      let what = "it lacks \(missing.joined(separator: ", ")), so that it is read as any SQLite file"
      notes.append("The file has tables of Core Data but is not a Core Data store: \(what).")
    }
    // In one transaction, so that the schema and the rows that are looked at are of one moment.
    let connection = connection
    return try connection.reading { try introspect() }
  }
}
