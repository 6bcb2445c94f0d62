internal import Glibc
internal import LuaBindings
internal import LuaRuntime
internal import Modeling

/// `export(value, file [, { mode = , columns = , limit = }])`: a file of rows, in the format that its name says.
struct ExportFunction {
  private unowned let session: EngineSession

  /// The formats by the ends of file names.
  private static let formats: [(suffix: String, mode: OutputMode)] = [
    (".csv", .csv), (".tsv", .tsv), (".json", .json), (".ndjson", .ndjson), (".jsonl", .ndjson), (".md", .markdown),
    (".html", .html),
  ]

  init(_ session: EngineSession) { self.session = session }

  func install() {
    session.engine.define(
      "export", "export(value, file [, { mode = , columns = , limit = }]) -> rows",
      "Writes a request, a result or a list to a file: csv, tsv, json or ndjson, by the name of the file."
    ) { [unowned session] stack in
      let named = try NamedArguments("export", at: 3, on: stack, allowed: ["mode", "columns", "limit"])
      guard let path = stack.string(at: 2) else {
        throw ArgumentFailure(function: "export", message: "expected the name of a file, got \(stack.typeName(at: 2))")
      }
      if session.engine.options.isSandboxed, path != "-" {
        throw ArgumentFailure(function: "export", message: "the sandbox has no files")
      }
      let export = ExportFunction(session)
      let mode = try named.mode("mode") ?? Self.mode(for: path)
      let rows = try export.write(
        at: 1, on: stack, to: path, mode, columns: try named.strings("columns"), limit: try named.count("limit"))
      stack.push(rows)
      return 1
    }
  }

  static func mode(for path: String) throws -> OutputMode {
    if let format = formats.first(where: { path.lowercased().hasSuffix($0.suffix) }) { return format.mode }
    throw ArgumentFailure(
      function: "export",
      message: "'\(path)' does not say its format; end it in .csv, .tsv, .json or .ndjson, or give a mode")
  }

  /// Writes the rows of the value at `index`, and returns how many there were.
  ///
  /// The file appears under its name when it is complete.
  func write(
    at index: Int32, on stack: LuaStack, to path: String, _ mode: OutputMode, columns: [String]?, limit: Int?
  ) throws -> Int {
    let presenter = ValuePresenter(
      engine: session.engine, mode: mode, options: RenderOptions(width: nil), quotesStrings: false)
    guard let source = try presenter.rows(at: index, on: stack, only: columns) else {
      throw ArgumentFailure(
        function: "export",
        message: "expected a request, a result or a list of objects, got \(stack.typeName(at: index))")
    }
    var options = RenderOptions(width: nil)
    options.rows = .all
    options.limit = limit
    let progress = Progress(
      "export \(path)", total: nil, unit: "rows", options: .standardError(session.surroundings.environment))
    defer { progress.finish() }
    let counted = CountedRows(source, session.engine, progress)
    if path == "-" {
      try mode.renderer.render(counted.source, to: session.surroundings.output, options: options)
    } else {
      try AtomicFile.write(path) { try mode.renderer.render(counted.source, to: $0, options: options) }
    }
    return counted.count
  }
}

/// A file that takes its place only when all of it is written.
enum AtomicFile {
  static func write(_ path: String, _ body: (OutputSink) throws -> Void) throws {
    var status = stat()
    let exists = stat(path, &status) == 0
    // What is no file (a pipe, a device) is written to as it is.
    if exists, status.st_mode & S_IFMT != S_IFREG, status.st_mode & S_IFMT != S_IFDIR {
      return try writeDirectly(path, body)
    }
    if exists, status.st_mode & S_IFMT == S_IFDIR { throw FileFailure(path: path, errno: EISDIR, verb: "written") }
    var name = Array((path + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw FileFailure(path: path, errno: errno, verb: "written") }
    do {
      let mask = umask(0)
      umask(mask)
      fchmod(descriptor, exists ? status.st_mode & 0o777 : 0o666 & ~mask)
      try write(descriptor, path, body)
      guard rename(name, path) == 0 else { throw FileFailure(path: path, errno: errno, verb: "written") }
    } catch {
      unlink(name)
      throw error
    }
  }

  private static func writeDirectly(_ path: String, _ body: (OutputSink) throws -> Void) throws {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(path: path, errno: errno, verb: "written") }
    try write(descriptor, path, body)
  }

  private static func write(_ descriptor: Int32, _ path: String, _ body: (OutputSink) throws -> Void) throws {
    defer { close(descriptor) }
    let sink = OutputSink(descriptor: descriptor)
    do {
      try body(sink)
      sink.flush()
      try sink.checkpoint()
    } catch let failure as OutputFailure {
      guard case .system(let errno) = failure else { throw failure }
      throw FileFailure(path: path, errno: errno, verb: "written")
    }
  }
}

/// Rows on their way, counted, so that progress can be told and Ctrl-C heard.
private final class CountedRows: RawTabularSource {
  private let rows: any TabularSource
  private let raw: (any RawTabularSource)?
  private let engine: Engine
  private let progress: Progress
  private(set) var count = 0

  var columns: [TabularColumn] { rows.columns }
  var rowName: String? { rows.rowName }

  init(_ rows: any TabularSource, _ engine: Engine, _ progress: Progress) {
    self.rows = rows
    raw = rows as? any RawTabularSource
    self.engine = engine
    self.progress = progress
  }

  /// What to hand to a renderer: this, or a wrapper without raw bytes if the rows have none.
  var source: any TabularSource { raw == nil ? PlainRows(self) : self }

  func next() throws -> [Cell]? {
    guard let row = try rows.next() else { return nil }
    try countOne()
    return row
  }

  func next(into row: inout [RawCell]) throws -> Bool {
    guard let raw, try raw.next(into: &row) else { return false }
    try countOne()
    return true
  }

  private func countOne() throws {
    count += 1
    guard count & 1023 == 0 else { return }
    try engine.lua.checkInterrupt()
    progress.update(count)
  }

  /// The rows as cells only.
  private final class PlainRows: TabularSource {
    private let counted: CountedRows
    init(_ counted: CountedRows) { self.counted = counted }
    var columns: [TabularColumn] { counted.columns }
    func next() throws -> [Cell]? { try counted.next() }
  }
}
