internal import JSONRPC
internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Queries
internal import Session
internal import Stores

/// The client of a session for calls of tools: it collects what comes of a call.
final class ToolSession: SessionClient {
  /// What a session may do with its store.
  enum Purpose {
    /// The store's handle cannot write.
    case reading
    /// All writes are shown, and rolled back unless they are kept.
    case proposing
    case undoing
  }

  let layout = Layout()
  private(set) var output = OutputSink.inMemory()
  let answersQuestions = false
  /// Set once, when this is made.
  private(set) var session: Session!
  /// What scripts and functions printed, as far as it was asked for.
  private(set) var printed = ""
  /// The characters that it has in an answer, or a few more.
  private var printedSize = 0
  /// How many bytes were printed beyond that.
  private(set) var droppedBytes = 0
  private(set) var values: [JSON] = []
  private(set) var mistakes: [String] = []
  private(set) var notes: [String] = []
  /// The rows that a tool takes from the next value.
  private var rowsWanted: (_ rows: any TabularSource) throws -> Void = { _ in }
  private var takesRows = false
  private var characters = ServerLimits.characters
  private let limits: ServerLimits

  init(_ purpose: Purpose, hiding hidden: [HiddenProperty], _ limits: ServerLimits) throws(ToolFailure) {
    self.limits = limits
    output = OutputSink { [unowned self] bytes in
      collect(bytes)
      return nil
    }
    var options = SessionOptions()
    options.engine.isSandboxed = true
    options.engine.refusesSQL = true
    options.engine.hidden = hidden
    options.engine.opensReadOnly = purpose == .reading
    options.engine.writesCoreData = purpose != .reading
    options.engine.isDryRun = purpose == .proposing
    options.engine.memoryLimit = limits.memory
    options.processMemoryLimit = limits.memory
    options.takesScriptOutput = true
    do { session = try Session(options, self) } catch { throw ToolFailure("\(error)") }
  }

  func open(_ options: StoreOptions) throws(ToolFailure) {
    try call { try session.engine.open(options) }
    session.dryRun?.beginAgain()
  }

  /// Ends the session; what a dry run has written is rolled back.
  func close() {
    try? engine.stores.endDryRun(keeping: false)
    session.close()
  }

  var engine: Engine { session.engine }

  // MARK: Calls

  /// Runs the Lua of a tool with the arguments of the call as a table, and returns its first value as JSON.
  ///
  /// Rows that it shows go to `rows`.
  func run(
    _ chunk: String, _ arguments: [String: JSON], rows: ((any TabularSource) throws -> Void)? = nil
  ) throws(ToolFailure) -> JSON {
    (takesRows, rowsWanted) = (rows != nil, rows ?? { _ in })
    defer { takesRows = false }
    let source = "local a = decodeJSON((...)) return encodeJSON { value = (function() \(chunk)\nend)() }"
    var result = JSON.null
    try call {
      let values = try engine.run(
        Array(source.utf8), name: "=tool", arguments: [JSON.object(arguments).text])
      guard let value = values.first else { return }
      engine.lua.stack.push(value)
      defer { engine.lua.stack.pop() }
      if case .object(let members) = try JSON.parse(engine.lua.stack.string(at: -1) ?? "{}") {
        result = members["value"] ?? .null
      }
    }
    return result
  }

  /// Runs a script and collects its values; false if it failed, which `mistakes` tell.
  func run(script: String, seconds: Double, characters: Int) -> Bool {
    reset()
    self.characters = characters
    session.sources.add(script, chunk: "=script")
    return guarding(seconds: seconds) {
      for value in try engine.evaluate(script, name: "=script") { try session.show(value, ShowOptions()) }
    } == 0
  }

  /// Runs `body` within the limits.
  ///
  /// - Throws: ToolFailure with the mistakes.
  func call(_ body: () throws -> Void) throws(ToolFailure) {
    reset()
    try continuing(body)
  }

  /// Runs `body` as a part of the call before it, of which everything that was collected is kept.
  ///
  /// - Throws: ToolFailure with the mistakes.
  func continuing(_ body: () throws -> Void) throws(ToolFailure) {
    if guarding(seconds: limits.seconds, body) != 0 {
      throw ToolFailure(mistakes.isEmpty ? "it failed" : mistakes.joined(separator: "\n"))
    }
  }

  private func reset() {
    (printed, printedSize, droppedBytes, values, mistakes, notes) = ("", 0, 0, [], [], [])
    characters = ServerLimits.characters
  }

  private func guarding(seconds: Double, _ body: () throws -> Void) -> Int32 {
    engine.lua.clearInterrupt()
    do { try engine.lua.setTimeLimit(seconds: min(seconds, limits.seconds)) } catch {
      mistakes.append("\(error)")
      return ExitStatus.failed
    }
    defer { try? engine.lua.setTimeLimit(seconds: nil) }
    let status = session.guarding(body)
    output.flush()
    return session.requestedExit ?? status
  }

  // MARK: The client

  func flush() { output.flush() }

  func receive(_ event: SessionEvent) throws {
    output.flush()
    switch event {
    case .value(let answer): try take(answer)
    case .printed(_, let bytes): bytes.withUnsafeBufferPointer(collect)
    case .diagnostic(let diagnostic): take(diagnostic)
    case .remark(let remark): take(remark)
    case .progress, .change: break
    }
  }

  func confirms(_ question: String) -> Bool { false }

  private func take(_ answer: Answer) throws {
    if takesRows, let rows = try answer.rows() { return try rowsWanted(rows) }
    let kind = try answer.kind
    if kind == .rows || kind == .live, let source = try answer.rows() {
      let rows = try RowsAnswer(source, limit: 1000, characters: remaining)
      var members = rows.members
      if rows.isCut { members["total"] = try source.totalCount().map { .int(Int64($0)) } ?? .null }
      values.append(.object(members))
    } else {
      let text = try answer.text(in: .json)
      let json = (try? JSON.parse(text)) ?? .string(text)
      values.append(text.count <= remaining ? json : .string(BoundedText(text, remaining).text))
    }
  }

  /// The characters that are left for a value; some for each, so that it is named.
  private var remaining: Int { max(100, characters - printedSize - values.reduce(0) { $0 + $1.text.count }) }

  private func take(_ diagnostic: Diagnostic) {
    var diagnostic = diagnostic
    if diagnostic.file == "tool" { (diagnostic.file, diagnostic.line, diagnostic.column) = (nil, nil, nil) }
    if diagnostic.file == "script" || diagnostic.file == nil { diagnostic.traceback = [] }
    let text = DiagnosticText(width: 160).terminal(diagnostic).trimmingSuffix("\n")
    if diagnostic.severity == .error { mistakes.append(text) } else { notes.append(text) }
  }

  private func take(_ remark: Remark) {
    switch remark.kind {
    case .stopped: mistakes.append(remark.text)
    case .note, .warning, .entity: notes.append(remark.text)
    case .outcome, .slow, .statement, .done, .line, .report: break
    }
  }

  /// Takes what is printed as long as it fits into the answer, where line ends and quotes need two characters.
  private func collect(_ bytes: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    let size = JSON.string(text).text.utf8.count
    guard droppedBytes == 0, printedSize + size <= characters else { return droppedBytes += bytes.count }
    printed += text
    printedSize += size
  }
}

extension String {
  /// The text without an ending.
  fileprivate func trimmingSuffix(_ ending: String) -> String {
    hasSuffix(ending) ? String(dropLast(ending.count)) : self
  }
}
