internal import Comparison
internal import Glibc
internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Presentation
internal import Queries

/// `export(value, file [, { mode = , columns = , limit = , force = }])`: a file of rows, in the format that its name says.
struct ExportFunction {
  let console: Console
  let dryRuns: DryRunRecorder
  private var engine: Engine { console.engine }

  /// The formats by file extension.
  private static let formats: [(suffix: String, mode: OutputMode)] = [
    (".csv", .csv), (".tsv", .tsv), (".json", .json), (".ndjson", .ndjson), (".jsonl", .ndjson), (".md", .markdown),
    (".html", .html), (".sql", .insert), (".lua", .lua),
  ]

  func install() {
    engine.define(
      "export", "export(value, file [, { mode = , columns = , limit = , table = , force = }]) -> rows",
      "Writes a request, a result or a list to a new file: csv, tsv, json, ndjson, sql or lua, by the name of the file.",
      inSandbox: true, example: #"export(Quake:where "magnitude > 3", "strong.csv")"#
    ) { [unowned console, unowned dryRuns] stack in
      let named = try NamedArguments(
        "export", at: 3, on: stack, allowed: ["mode", "columns", "limit", "table", "force"])
      guard let path = stack.string(at: 2) else {
        throw ArgumentFailure(function: "export", message: "expected the name of a file, got \(stack.typeName(at: 2))")
      }
      if console.engine.options.isSandboxed, path != "-" {
        throw RefusedInSandbox("export", reason: "scripts have no files in it; '-' is standard output")
      }
      let export = ExportFunction(console: console, dryRuns: dryRuns)
      let mode = try named.mode("mode") ?? Self.mode(for: path)
      let rows = try export.write(
        at: 1, on: stack, to: path, mode, columns: try named.columns("columns", console.engine),
        limit: try named.count("limit"),
        table: try named.string("table"), replaces: try named.flag("force") ?? false)
      stack.push(rows)
      return 1
    }
  }

  static func mode(for path: String) throws -> OutputMode {
    if let format = formats.first(where: { path.lowercased().hasSuffix($0.suffix) }) { return format.mode }
    throw ArgumentFailure(
      function: "export",
      message: "'\(path)' does not say its format; end it in .csv, .tsv, .json, .ndjson, .sql or .lua, or give a mode")
  }

  /// Writes the rows of the value at `index`, and returns how many there were.
  ///
  /// The file has its name only when it is complete.
  func write(
    at index: Int32, on stack: LuaStack, to path: String, _ mode: OutputMode, columns: [ColumnRequest]?, limit: Int?,
    table: String?, replaces: Bool
  ) throws -> Int {
    let presenter = ValuePresenter(engine, mode, RenderOptions(width: nil))
    if mode == .lua, stack.type(at: index) == .table, try presenter.rows(at: index, on: stack) == nil {
      return try writeTable(at: index, on: stack, to: path, replaces: replaces, presenter)
    }
    if let comparison = try engine.comparison(at: index, on: stack), let language = DifferenceLanguage(mode) {
      return try write(comparison, as: language, to: path, replaces: replaces)
    }
    guard let source = try presenter.rows(at: index, on: stack, only: columns) else {
      throw ArgumentFailure(
        function: "export",
        message: "expected a request, a result or a list of objects, got \(stack.typeName(at: index))")
    }
    var options = RenderOptions(width: nil)
    options.rows = .all
    options.limit = limit
    options.tableName = table
    let progress = console.beginProgress("export \(path)", total: nil, unit: "rows")
    defer { progress.finish() }
    let size = size(at: index, on: stack)
    progress.findTotal = { [limit] in size().map { min($0, limit ?? .max) } }
    let counted = CountedRows(source, engine, progress)
    if path == "-" {
      try mode.renderer.render(counted.source, to: console.output, options: options)
    } else {
      options.isFile = true
      try dryRuns.writeFile(path, replaces: replaces) {
        try mode.renderer.render(counted.source, to: $0, options: options)
      } contents: {
        Quantity.count(counted.count, "row")
      }
    }
    return counted.count
  }

  /// Writes what makes one store the other, and returns the number of differences.
  private func write(
    _ comparison: StoreComparison, as language: DifferenceLanguage, to path: String, replaces: Bool
  ) throws -> Int {
    guard let store = engine.store(of: comparison) else { return 0 }
    if path == "-" { return try console.write(comparison, of: store, as: language, to: console.output) }
    var count = 0
    try dryRuns.writeFile(path, replaces: replaces) {
      count = try console.write(comparison, of: store, as: language, to: $0)
    } contents: {
      Quantity.count(count, "difference")
    }
    return count
  }

  /// How many rows a value has, if that can be found.
  private func size(at index: Int32, on stack: LuaStack) -> () -> Int? {
    switch try? EngineValue(at: index, on: stack, in: engine) {
    case .request(let request, let context): { try? context.count(request) }
    case .entity(let entity, let context): { try? context.count(FetchRequest(entity)) }
    case .result(let result): { result.count }
    case .live(let results, _): { results.count }
    default: { nil }
    }
  }

  /// Writes a plain Lua table, and returns how many elements it has.
  private func writeTable(
    at index: Int32, on stack: LuaStack, to path: String, replaces: Bool, _ presenter: ValuePresenter
  ) throws -> Int {
    if path == "-" {
      try presenter.show(at: index, on: stack, to: console.output)
    } else {
      try dryRuns.writeFile(path, replaces: replaces) { try presenter.writeFile(at: index, on: stack, to: $0) }
    }
    return stack.rawLength(at: index)
  }
}

extension DifferenceLanguage {
  /// The language of a mode that writes source; nil for rows.
  fileprivate init?(_ mode: OutputMode) {
    switch mode {
    case .insert: self = .sql
    case .lua: self = .lua
    default: return nil
    }
  }
}
