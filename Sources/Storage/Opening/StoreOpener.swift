import Modeling
import Queries
import SQLite

/// Opens a store: from a path to a connection with a format, a model and layouts.
///
/// The opener connects first, which finds what stands in the way of reading or writing, and then decides by the tables which
/// format the file has. The format's part (`openOwn`, `introspect`, `openCoreData`) gives the model and the layouts; a store of
/// our own may be migrated on the way. Opening reads only what it needs: for a store of our own its schema and its metadata.
struct StoreOpener {
  let options: StoreOptions
  var connection: Connection
  var format: any StoreFormat = PlainFormat()
  var notes: [String] = []
  var migration: MigrationReport?
  let isNew: Bool
  /// Whether a Core Data store's model is more than what its tables tell.
  var isOwnModel = true
  /// Whether the database was open elsewhere, as far as the files beside it tell.
  let hadLogFiles: Bool

  /// Connects to the file, or makes it.
  init(_ options: StoreOptions) throws(StoreError) {
    self.options = options
    let file = StoreFile(path: options.path)
    let exists = try file.exists()
    isNew = !exists
    hadLogFiles = exists && file.hasLogFiles
    if !exists, !file.isInMemory {
      guard options.create else { throw StoreError(.notFound, path: options.path) }
      guard !options.readOnly else { throw StoreError(.cannotCreate("opened read-only"), path: options.path) }
      try file.checkCreatable()
    }
    if exists, file.cannotBeReadInPlace {
      (connection, notes) = try Self.connectWithoutWriting(options, file)
      return
    }
    do {
      connection = try Connection(options.path, Self.connectionOptions(options, readOnly: options.readOnly))
      if let contents = options.contents { try contents.connection.copy(to: connection) }
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

  /// Connects to a private copy of the file, in which a change that a program left unfinished is undone.
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

  /// A file with a write-ahead log needs a folder that can be written. Elsewhere it is read as it is where the log is
  /// empty, and a copy of our own where it is not: what the log holds is part of the store.
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
    // Once it was read, SQLite has the files open and needs their names no more.
    _ = try connection.first("SELECT count(*) FROM sqlite_schema")
    let note =
      "The \(place) cannot be written: a copy of the file and its write-ahead log is read, and changes by others are not seen."
    return (connection, [note])
  }

  var isReadOnly: Bool { options.readOnly || connection.isReadOnly }

  /// Why nothing can be written, where that is so.
  var readOnlyFact: StoreError.Fact {
    if options.readOnly { return .readOnly }
    return format.refusesWriting(options) ?? .notWritable(StoreFile(path: options.path).writeObstacle)
  }

  /// Finds out what the file is and gives it a model and layouts.
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
      notes.append("The file has tables of Core Data but is no store of it: \(what).")
    }
    return try introspect()
  }
}
