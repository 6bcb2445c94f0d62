internal import AppleModels
import Modeling
import SQLite

extension StoreOpener {
  /// Opens the file as a store of Apple's framework.
  mutating func openCoreData(_ tables: Set<Value>) throws -> (model: Model, layouts: [Entity: EntityLayout]) {
    if !options.writesCoreData { try reopenReadOnly() }
    // A log that another program left belongs to that program. A log that only our writes made is copied into the file.
    if isReadOnly || hadLogFiles { connection.keepLogOnClose() }
    let schema = try CoreDataSchema(connection)
    if schema.metadata.uuid.isEmpty {
      notes.append(
        "Z_METADATA has no row with the store's identifier: which store it is, and who wrote it, is not known.")
    }
    let (whole, origin) = try coreDataModel(tables, schema)
    let path = options.path
    let wanted = try hiding(whole) { try CoreDataLayout(whole, schema, origin, path: path).layouts }
    let layout = try CoreDataLayout(wanted, schema, origin, path: options.path)
    notes += layout.notes
    if let note = try layout.laterFrameworkNote(connection) { notes.append(note) }
    if isReadOnly {
      notes += layout.ambiguityNotes
    } else if let obstacle = try layout.obstacle(connection) {
      throw StoreError(.coreDataNotWritable(obstacle), path: options.path)
    }
    let store = CoreDataStore(layout, path: options.path)
    if let missing = try store.missingFiles(connection) { notes.append(missing) }
    format = store
    return (layout.model, layout.layouts)
  }

  /// Opens the file again without write access, so that not even closing it changes the file.
  private mutating func reopenReadOnly() throws(StoreError) {
    if !connection.isReadOnly {
      connection.keepLogOnClose()
      connection.close()
      connection = try Connection(options.path, Self.connectionOptions(options, readOnly: true))
      connection.addFunctions = SQLFunctions().install
    }
  }

  /// The given model, or else the one in the store, or else one derived from its tables.
  private mutating func coreDataModel(
    _ tables: Set<Value>, _ schema: CoreDataSchema
  ) throws -> (Model, CoreDataLayout.Origin) {
    if let model = options.model {
      let kept = try? archivedModel(tables)?.get().model
      return (model, .given(kept: kept))
    }
    if let model = try cachedModel(tables) { return (model, .store) }
    do {
      return (try CoreDataSchemaModel(schema).model, .tables)
    } catch {
      throw StoreError(.corrupt("the entities in Z_PRIMARYKEY contradict one another"), path: options.path)
    }
  }

  /// The model that the framework stored in the file, as far as it can be read; nil if there is none.
  private func archivedModel(_ tables: Set<Value>) throws(StoreError) -> Result<AppleModel, AppleModelError>? {
    guard tables.contains(.string("Z_MODELCACHE")),
      case .data(let bytes)? = try connection.first("SELECT Z_CONTENT FROM Z_MODELCACHE WHERE length(Z_CONTENT) > 0")
    else { return nil }
    do throws(AppleModelError) {
      return .success(try AppleModel(modelCache: bytes))
    } catch {
      return .failure(error)
    }
  }

  private mutating func cachedModel(_ tables: Set<Value>) throws -> Model? {
    let readOff = "names and types are read off the tables. A model can be given with --model."
    switch try archivedModel(tables) {
    case nil:
      notes.append("The store keeps no model: \(readOff)")
      return nil
    case .success(let cached)?:
      notes += cached.notes
      return cached.model
    case .failure(let error)?:
      let reason: String
      switch error.fact {
      case .damaged(let text): reason = text
      case .notAModel(_, let found): reason = "it is \(found)"
      case .notFound, .binaryModelDocument, .unknownVersion: throw error
      }
      notes.append("The model that the store keeps is damaged (\(reason)): \(readOff)")
      return nil
    }
  }
}
