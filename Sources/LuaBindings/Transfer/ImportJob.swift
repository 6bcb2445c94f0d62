internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Stores
internal import Transfer

/// One import, from the file's name to the report.
struct ImportJob {
  private let engine: Engine
  private let entity: Entity
  /// The context that says who imports; nil where a transaction around it does.
  private let context: ObjectContext?
  private let store: any OpenedStore
  private let file: DataFile
  private let mapping: ImportMapping
  private let upsert: Int?
  private let rows: DataFile.Rows
  /// Whether the first row of delimited text has the columns' names.
  private let hasHeader: Bool

  /// Imports into an existing entity, as `map` and the other options say.
  init(_ call: Call, _ entity: BoundEntity, _ file: DataFile, _ options: Options) throws {
    engine = call.engine
    self.entity = entity.entity
    context = entity.context.objectContext
    let file = try engine.stores.unpacked(file, for: entity.entity.name, call)
    self.file = file
    hasHeader = true
    store = entity.context.store.objectStore
    let names: [String]
    var nullTexts = try Self.readNullTexts(options)
    let map = try ImportMapping.Places(call, options)
    do {
      rows = try file.open(shouldStop: { [engine] in engine.lua.isInterrupted })
      switch rows {
      case .delimited(let reader, let isEscaped):
        if isEscaped { nullTexts.append("\\N") }
        names = try reader.next() ? (0..<reader.fieldCount).map { try reader.text($0) } : []
      case .json where file.columns != nil: names = file.columns ?? []
      case .json: names = map.names + entity.entity.properties.map(\.name).filter { !map.names.contains($0) }
      }
    } catch {
      throw ImportFailure(path: file.label, error: error)
    }
    let unresolved = try options.choice("unresolved", Unresolved.self) ?? .error
    mapping = try ImportMapping(
      names, of: entity.entity, in: store, call, map, nullTexts: nullTexts,
      missing: unresolved == .nil ? .null : .refuse, rows, file: file)
    upsert = try Self.upsert(options, entity.entity, call)
  }

  /// Imports into an entity that was made for the file.
  init(
    _ engine: Engine, _ entity: Entity, of store: any OpenedStore, _ file: DataFile, _ shape: RowsShape, upsert: Int?
  ) throws {
    self.engine = engine
    (self.entity, self.store, context) = (entity, store, nil)
    self.file = file
    hasHeader = shape.hasHeader
    do {
      rows = try Self.open(file, engine, hasHeader: hasHeader)
    } catch {
      throw ImportFailure(path: file.label, error: error)
    }
    mapping = ImportMapping(shape, rows, of: entity, in: store)
    self.upsert = upsert
  }

  /// Opens a file before its first row of data.
  private static func open(_ file: DataFile, _ engine: Engine, hasHeader: Bool) throws -> DataFile.Rows {
    let rows = try file.open(shouldStop: { [engine] in engine.lua.isInterrupted })
    // A first row that is not a header is data.
    if case .delimited(let reader, _) = rows, try reader.next(), !hasHeader { reader.putBack() }
    return rows
  }

  private enum Unresolved: String, CaseIterable {
    case error
    case `nil`
  }

  private static func readNullTexts(_ options: Options) throws -> [String] {
    if let list = try? options.string("null") { return [list] }
    return try options.strings("null") ?? []
  }

  private static func upsert(_ options: Options, _ entity: Entity, _ call: Call) throws -> Int? {
    guard let name = try options.string("upsert") else { return nil }
    guard let index = entity.index(of: name), entity.properties[index].attribute != nil else {
      let near = nearest(name, entity.attributes.map(\.name))
      throw call.fail("upsert: \(entity.name) has no attribute '\(name)'\(ErrorReport.hint(near))")
    }
    guard entity.uniquenessConstraints.contains([name]) else {
      throw call.fail("upsert: \(entity.name).\(name) is not unique")
    }
    return index
  }

  func run() throws -> ImportReport {
    let label = "import \(file.label)"
    defer { engine.host.onProgress?(TransferProgress(label: label, rows: 0, bytes: 0, isFinished: true)) }
    let progress: (ImportProgress) -> Void = { [engine] progress in
      engine.host.onProgress?(
        TransferProgress(label: label, rows: progress.rows, bytes: progress.bytes, totalBytes: progress.totalBytes))
    }
    do {
      let again = { try source(try Self.open(file, engine, hasHeader: hasHeader)) }
      func importAll() throws -> ImportReport {
        try store.importRows(
          into: entity, from: try source(rows), mapping: mapping.columns, upsert: upsert, progress: progress,
          again: again)
      }
      return try context.map { try $0.attributed(importAll) } ?? importAll()
    } catch {
      throw ImportFailure(path: file.label, error: error, names: mapping.names)
    }
  }

  private func source(_ rows: DataFile.Rows) throws -> any ImportSource {
    switch rows {
    case .delimited(let reader, false) where mapping.composites.isEmpty: return reader
    case .delimited(let reader, let isEscaped):
      return try ImportRows(.delimited(reader, isEscaped: isEscaped), mapping, store)
    case .json(let reader) where mapping.composites.isEmpty: return JSONImportSource(reader, names: mapping.names)
    case .json(let reader):
      return try ImportRows(.other(JSONImportSource(reader, names: mapping.names)), mapping, store)
    }
  }
}
