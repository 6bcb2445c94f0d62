internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Stores
internal import Transfer

/// The options of a call; within `Engine` the plain name means the limits of scripts.
typealias CallOptions = Options

// Data files that become entities.
extension OpenStores {
  /// Opens a store in memory with an entity for each file.
  func open(_ files: [DataFile]) throws -> BoundStore {
    let files = try files.map { try readByProgram($0) }
    if let dump = files.first(where: { $0.format == .sql }) {
      if files.count == 1 { return try open(dump: dump) }
      throw ImportFailure(path: dump.label, error: DataFileError.dumpAmongRows)
    }
    let sources = try files.flatMap { try unpacked($0) }.map { try DataSource($0, engine) }
    var descriptions: [EntityDescription] = []
    for source in sources {
      let name = freeName(source.file.entityName, among: descriptions.map(\.name))
      descriptions.append(source.description(name))
    }
    var options = StoreOptions(path: ":memory:")
    options.create = true
    options.model = try Model(descriptions)
    // In a dry run only the changes after the import are rolled back at the end.
    let store = try open(options, rehearses: false)
    do {
      for (source, description) in zip(sources, descriptions) {
        let report = try source.importRows(into: description.name, of: store.objectStore)
        engine.host.onNewEntity?(source.imported(as: description.name, report, in: store.objectStore.model))
      }
      if engine.options.opensReadOnly { return try protected(store) }
      if isRehearsing { try store.objectStore.beginDryRun() }
      return store
    } catch {
      store.close()
      throw error
    }
  }

  /// A copy of a store in memory that refuses every write; the store itself is closed.
  private func protected(_ store: BoundStore) throws -> BoundStore {
    var options = StoreOptions(path: store.objectStore.path)
    (options.create, options.readOnly, options.contents) = (true, true, store.objectStore)
    let copy = try open(options, rehearses: false)
    store.close()
    return copy
  }

  /// The files of text for a file, in which its rows are read.
  func unpacked(_ file: DataFile) throws -> [DataFile] {
    let file = try readByProgram(file)
    return try naming(file) { try file.unpacked(shouldStop: $0) }
  }

  /// What a program writes for a file of no format of our own; any other file itself.
  private func readByProgram(_ file: DataFile) throws -> DataFile {
    guard let reader = try naming(file, { _ in try reader(of: file) }) else { return file }
    return try naming(file) { try file.read(by: reader, shouldStop: $0) }
  }

  /// Reads a file until scripts are interrupted; errors name it.
  private func naming<Result>(_ file: DataFile, _ read: (@escaping () -> Bool) throws -> Result) throws -> Result {
    do {
      return try read { [engine] in engine?.lua.isInterrupted == true }
    } catch let error as SpooledText.Failure {
      let fact = DelimitedError.Fact.unreadable(errorNumber: error.errorNumber)
      throw ImportFailure(path: file.label, error: DelimitedError(fact: fact, place: TextPlace()))
    } catch {
      throw ImportFailure(path: file.label, error: error)
    }
  }

  /// The program that reads a file of no format of our own; never in the sandbox.
  private func reader(of file: DataFile) throws -> Reader? {
    guard file.format == nil else { return nil }
    let readers = Readers.ofUser
    if readers.isDamaged { throw DataFileError.damagedReaders(readers.path ?? "") }
    guard let reader = readers.reader(of: file.path) else { return nil }
    if engine.options.isSandboxed {
      throw RefusedInSandbox(
        "'\(file.label)'", reason: "no programs run in it, and \(reader.words[0]) would read the file")
    }
    return reader
  }

  /// The file of text with the rows for an entity: of a workbook with several sheets, the sheet of the entity's name.
  func unpacked(_ file: DataFile, for entity: String, _ call: Call) throws -> DataFile {
    let file = try readByProgram(file)
    if file.format == .sql { throw call.fail("'\(file.label)' is a dump, which makes a store of its own: open it") }
    let files = try unpacked(file)
    guard let found = files.count == 1 ? files.first : files.first(where: { $0.entityName == entity }) else {
      let names = files.map(\.entityName)
      let hint = ErrorReport.hint(nearest(entity, names))
      throw call.fail("'\(file.label)' has sheets for \(names.joined(separator: ", ")), and none for \(entity)\(hint)")
    }
    return found
  }

  /// Adds an entity for a file to the store of the globals, which is reopened for it, and imports the file's rows.
  func importIntoNewEntity(_ name: String, _ file: DataFile, _ options: CallOptions) throws -> ImportReport {
    let call = options.call
    guard let store = engine.globals.store else {
      throw call.fail("no store is open; open one, or name it on the command line")
    }
    guard Naming.isLuaIdentifier(name) else { throw call.fail("'\(name)' cannot be the name of an entity") }
    if freeName(name, among: []) != name {
      throw call.fail("an entity cannot be called '\(name)': there is something else of this name")
    }
    try store.checkNotSaving()
    if unsavedChangeCount > 0 {
      throw call.fail("the store is opened anew for the entity \(name): save or roll back what is unsaved first")
    }
    if store.objectStore.isReadOnly { throw store.objectStore.readOnlyError }
    try store.objectStore.require(.addEntities)
    if store.objectStore.isDryRun { throw call.fail("there is no entity \(name), and none is added to a dry run") }
    let upsert = try options.string("upsert")
    var source = try DataSource(try unpacked(file, for: name, call), engine)
    try source.place(try ImportMapping.Places(call, options), call)
    if !store.objectStore.traits.declaresSchema { source.usePlainTypes() }
    var description = source.description(name)
    if let upsert {
      guard description.properties.contains(where: { $0.name == upsert }) else {
        let hint = ErrorReport.hint(nearest(upsert, description.properties.map(\.name)))
        throw call.fail("upsert: the file has no column '\(upsert)'\(hint)")
      }
      description.uniquenessConstraints = [[upsert]]
    }
    // All or nothing includes the entity: an import that ends early leaves none.
    let report = try store.mainContext.objectContext.attributed {
      try store.objectStore.adding(description) { extended in
        try source.importRows(into: name, of: extended, upsert: upsert)
      }
    }
    let isDeclared = store.objectStore.traits.declaresSchema
    let new = try reopened(store, with: isDeclared ? store.objectStore.model.adding(description) : nil)
    engine.host.onNewEntity?(source.imported(as: name, report, in: new.objectStore.model))
    return report
  }

  /// The store, opened anew without interruption. The script's values of the former store report that it is closed.
  private func reopened(_ store: BoundStore, with model: Model? = nil) throws -> BoundStore {
    let wasMain = store === engine.globals.store
    var options = StoreOptions(path: store.objectStore.path)
    (options.backsUp, options.model) = (false, model)
    let isInMemory = options.path == ":memory:"
    if isInMemory {
      options.create = true
      options.contents = store.objectStore
    } else {
      store.close()
    }
    let new = try open(options, rehearses: engine.options.isDryRun, isInterruptible: false)
    if isInMemory { store.close() }
    if wasMain { engine.globals.use(new) }
    return new
  }

  /// The name, or a similar one that is not yet a global.
  private func freeName(_ name: String, among taken: [String]) -> String {
    var names = Set(taken)
    let stack = engine.lua.stack
    stack.reserve(2)
    if stack.pushGlobal(name) != .nil, !engine.globals.names.contains(name) { names.insert(name) }
    stack.pop()
    return names.contains(name) ? Naming.unique(name + "Row", among: names) : name
  }
}

/// A data file whose rows have been read once to infer its attributes.
private struct DataSource {
  let file: DataFile
  private let engine: Engine
  private var shape: RowsShape

  init(_ file: DataFile, _ engine: Engine) throws {
    let isStopped = { [engine] in engine.lua.isInterrupted }
    do {
      let label = "read \(file.label)"
      func tell(_ rows: Int, _ bytes: Int, _ size: Int?) throws {
        if isStopped() { throw StoreError(.interrupted, path: file.label) }
        engine.host.onProgress?(TransferProgress(label: label, rows: rows, bytes: bytes, totalBytes: size))
      }
      defer { engine.host.onProgress?(TransferProgress(label: label, rows: 0, bytes: 0, isFinished: true)) }
      switch try file.open(shouldStop: isStopped) {
      case .delimited(let reader, _): shape = try RowsShape(reader) { try tell($0, $1, reader.size) }
      case .json(let reader): shape = try RowsShape(reader) { try tell($0, $1, reader.size) }
      }
    } catch {
      throw ImportFailure(path: file.label, error: error)
    }
    if shape.columns.isEmpty { throw ImportFailure(path: file.label, error: NoRows()) }
    self.file = file
    self.engine = engine
  }

  func description(_ name: String) -> EntityDescription {
    EntityDescription(name, properties: shape.columns.filter { !$0.isLeftOut }.map { .attribute($0.attribute) })
  }

  /// Sets the destinations of columns from `places`.
  mutating func place(_ places: ImportMapping.Places, _ call: Call) throws {
    let headers = shape.columns.map(\.header)
    if let name = places.names.first(where: { !headers.contains($0) }) {
      throw call.fail("map: the file has no column '\(name)'\(ErrorReport.hint(nearest(name, headers)))")
    }
    for (index, header) in headers.enumerated() {
      guard let list = places[header] else { continue }
      guard list.count <= 1, list.allSatisfy(Naming.isLuaIdentifier) else {
        throw call.fail("map.\(header): expected one name of an attribute of the new entity, or false")
      }
      shape.columns[index].isLeftOut = list.isEmpty
      if let name = list.first { shape.columns[index].attribute.name = name }
    }
    let names = shape.columns.filter { !$0.isLeftOut }.map(\.attribute.name)
    for (index, name) in names.enumerated() where names[..<index].contains(name) {
      throw call.fail("map: two columns go to '\(name)'")
    }
  }

  /// Makes attributes text if their type does not exist in plain SQLite files.
  mutating func usePlainTypes() {
    for index in shape.columns.indices where [.date, .decimal].contains(shape.columns[index].attribute.type) {
      shape.columns[index].attribute.type = .string
      shape.columns[index].nullTexts = []
    }
  }

  func importRows(into name: String, of store: any OpenedStore, upsert: String? = nil) throws -> ImportReport {
    guard let entity = store.model.entity(named: name) else {
      preconditionFailure("the entity was just made")
    }
    let index = upsert.flatMap { entity.index(of: $0) }
    return try ImportJob(engine, entity, of: store, file, shape, upsert: index).run()
  }

  /// What was made, with the types that the model has: in a plain SQLite file dates are texts that are read as dates.
  func imported(as name: String, _ report: ImportReport, in model: Model) -> ImportedEntity {
    var shape = shape
    for index in shape.columns.indices {
      let property = model.entity(named: name)?.property(named: shape.columns[index].attribute.name)
      if let type = property?.attribute?.type { shape.columns[index].attribute.type = type }
    }
    return ImportedEntity(name, shape, rows: report.inserted)
  }
}
