internal import LuaRuntime
internal import Modeling
internal import Storage
internal import Transfer

/// `import(Entity, file, { map = , upsert = , null = , unresolved = , mode = })`
///
/// A file of rows goes into the store in one transaction. `map` says where each column goes; Examples/flights/import.lua
/// shows all of it.
enum ImportFunctions {
  private static let options = ["map", "upsert", "null", "unresolved", "mode"]

  static let entries: [CatalogEntry] = [
    option("map", "Where each column goes: `column = \"attribute\"`, `\"toOne.attribute\"`, a list of both, or false."),
    option("upsert", "The unique attribute by which a row finds the object that it updates."),
    option("null", "The text, or a list of texts, by which the file writes nothing."),
    option("unresolved", "\"nil\" leaves a to-one empty when no object has the value; else the file is refused."),
    option("mode", "csv, tsv, json or ndjson, where the name of the file does not say it."),
  ]

  private static func option(_ name: String, _ summary: String) -> CatalogEntry {
    CatalogEntry(kind: .option, owner: "import", name: name, signature: "\(name) = ...", summary: summary)
  }

  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "import", "import(Entity, file [, { map = , upsert = , null = , unresolved = }]) -> { inserted = , updated = }",
      "Reads a file of rows (csv, tsv, json, ndjson) into the store, all of it or nothing."
    ) { call in
      let entity = try call.entity(1)
      let path = try call.fileName(2, "the name of a file")
      let options = try call.options(3, options)
      try entity.context.checkOpen(call.place)
      let job = try ImportJob(call, entity, path, options)
      let report = try job.run()
      entity.context.store.refreshAllObjects()
      push(report, on: call.stack)
      return 1
    }
  ]

  private static func push(_ report: ImportReport, on stack: LuaStack) {
    stack.pushTable(hash: 3)
    let counts = [("inserted", report.inserted), ("updated", report.updated), ("unresolved", report.missingReferences)]
    for (name, count) in counts where count > 0 || name == "inserted" {
      stack.push(count)
      stack.rawSet(field: name, at: -2)
    }
  }
}

/// How far a file has been read or written.
public struct TransferProgress: Sendable {
  /// What is being done: `import cities.csv`.
  public var label: String
  /// How many rows have been read.
  public var rows: Int
  /// The bytes so far.
  public var bytes: Int
  /// The bytes in all, where that is known.
  public var totalBytes: Int?
  /// Whether it is over.
  public var isFinished = false
}

/// One import, from the file's name to the report.
private struct ImportJob {
  private let engine: Engine
  private let entity: BoundEntity
  private let store: SQLiteStore
  private let path: String
  private let format: Format
  private let mapping: ImportMapping
  private let upsert: Int?
  private let source: Source

  private enum Format: String, CaseIterable {
    case csv, tsv, json, ndjson
  }

  private enum Source {
    case delimited(DelimitedReader)
    case json(JSONRowsReader)
  }

  init(_ call: Call, _ entity: BoundEntity, _ path: String, _ options: Options) throws {
    engine = call.engine
    self.entity = entity
    self.path = path
    store = entity.context.store.store
    format = try options.choice("mode", Format.self) ?? Self.format(of: path, call)
    let isInterrupted = { [engine] in engine.lua.isInterrupted }
    let names: [String]
    var nullTexts = try Self.nullTexts(options)
    let map = try ImportMapping.Places(call, options)
    do {
      switch format {
      case .csv, .tsv:
        let reader = try DelimitedReader(path: path, format: format == .csv ? .csv : .init(delimiter: 9, quote: nil))
        reader.shouldStop = isInterrupted
        if format == .tsv { nullTexts.append("\\N") }
        names = try reader.next() ? (0..<reader.fieldCount).map { try reader.text($0) } : []
        source = .delimited(reader)
      case .json, .ndjson:
        let reader = try JSONRowsReader(path: path)
        reader.shouldStop = isInterrupted
        names = map.names + entity.entity.properties.map(\.name).filter { !map.names.contains($0) }
        source = .json(reader)
      }
    } catch {
      throw ImportFailure(path: path, error: error)
    }
    let unresolved = try options.choice("unresolved", Unresolved.self) ?? .error
    mapping = try ImportMapping(
      names, of: entity.entity, in: store, call, map, nullTexts: nullTexts,
      missing: unresolved == .nil ? .null : .refuse,
      allowsMissingColumns: format == .json || format == .ndjson)
    upsert = try Self.upsert(options, entity.entity, call)
  }

  private enum Unresolved: String, CaseIterable {
    case error
    case `nil`
  }

  private static func format(of path: String, _ call: Call) throws -> Format {
    let end = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    if let format = Format(rawValue: end == "jsonl" ? "ndjson" : end) { return format }
    throw call.fail("'\(path)' does not say its format; end it in .csv, .tsv, .json or .ndjson, or give a mode")
  }

  private static func nullTexts(_ options: Options) throws -> [String] {
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
    let label = "import \(path)"
    defer { engine.onProgress?(TransferProgress(label: label, rows: 0, bytes: 0, isFinished: true)) }
    let progress: (ImportProgress) -> Void = { [engine] progress in
      engine.onProgress?(
        TransferProgress(label: label, rows: progress.rows, bytes: progress.bytes, totalBytes: progress.totalBytes))
    }
    do {
      switch source {
      case .delimited(let reader) where format == .csv && mapping.composites.isEmpty: return try write(reader, progress)
      case .delimited(let reader):
        return try write(try ImportRows(.delimited(reader, isEscaped: format == .tsv), mapping, store), progress)
      case .json(let reader) where mapping.composites.isEmpty:
        return try write(JSONImportSource(reader, names: mapping.names), progress)
      case .json(let reader):
        return try write(
          try ImportRows(.other(JSONImportSource(reader, names: mapping.names)), mapping, store), progress)
      }
    } catch {
      throw ImportFailure(path: path, error: error, names: mapping.names)
    }
  }

  private func write<Rows: ImportSource>(_ rows: Rows, _ progress: @escaping (ImportProgress) -> Void) throws
    -> ImportReport
  {
    try entity.context.context.attributed {
      try store.importRows(
        into: entity.entity, from: rows, mapping: mapping.columns, upsert: upsert, progress: progress)
    }
  }
}
