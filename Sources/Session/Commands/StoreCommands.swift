internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Stores

struct StoreCommands: CommandGroup {
  let tools: CommandTools
  let title: StoreTitle
  let errors: ErrorReporter

  var all: [Command] { [openCommand, closeCommand, sqlCommand, statsCommand, traceCommand] }

  /// `.open FILE`
  var openCommand: Command {
    Command(
      name: "open", arguments: "FILE", summary: "open another store, or rows of CSV or JSON, in place of this one",
      parameters: [.file],
      changesThings: true, inSandbox: .refused(because: "scripts have no files in it")
    ) {
      (invocation) throws(CommandFailure) in
      var options = StoreOptions(path: try invocation.requiredArgument())
      options.readOnly = engine.options.opensReadOnly
      options.writesCoreData = engine.options.writesCoreData
      options.create = options.path == ":memory:"
      try refuseUnsaved(before: "open another store")
      let isData = options.path != "-" && FileArgument(options.path) == .data
      try perform {
        let old = engine.store
        if isData { try engine.open([DataFile(options.path)]) } else { try engine.open(options) }
        title.data = isData ? (FilePath.stem(of: options.path), options.path) : (nil, nil)
        if let old { engine.stores.close(old) }
        _ = try engine.scopes.leave(all: true)
      }
      if isAtPrompt, let summary = title.summary { tellDone(summary) }
    }
  }

  /// `.close`
  var closeCommand: Command {
    Command(name: "close", arguments: "", summary: "close the store", changesThings: true, inSandbox: .allowed) {
      (invocation) throws(CommandFailure) in
      guard invocation.arguments.isEmpty else { throw .usage(invocation.command.usage) }
      try refuseUnsaved(before: "close it")
      try perform {
        if let store = engine.store { engine.stores.close(store) }
        _ = try engine.scopes.leave(all: true)
      }
    }
  }

  /// Unsaved changes are never lost silently.
  private func refuseUnsaved(before what: String) throws(CommandFailure) {
    let count = engine.stores.unsavedChangeCount
    guard count > 0 else { return }
    console.refuse("\(ChangesCommands.changes(count)) not saved: .save or .rollback first, to \(what)")
    throw .failed(status: ExitStatus.failed)
  }

  /// `.sql [SQL | on | off]`
  var sqlCommand: Command {
    var command = Command.sql
    let `switch` = command.run
    command.arguments = "[SQL|on|off]"
    command.summary = "run SQL; or show the SQL of each request"
    command.parameters = [
      .rest { text, cursor, _ in
        let (before, behind) = text.split(atByte: cursor)
        return SQLCompleter(engine: engine).completions(before, behind: behind)
      }
    ]
    command.run = { (invocation) throws(CommandFailure) in
      guard !["", "on", "off"].contains(invocation.text) else { return try `switch`(invocation) }
      try perform { try runSQL(invocation.text) }
    }
    return command
  }

  private func runSQL(_ text: String) throws {
    guard let store = engine.store else { return }
    let before = engine.changeCount
    guard let cursor = try engine.sql(text, place: ".sql") else { return }
    if cursor.columns.isEmpty { while try cursor.step() {} } else { try showRows(of: cursor, in: store) }
    let changed = engine.changeCount - before
    // Writes by functions of a server are not counted.
    guard changed != 0 || Engine.isServer(store.path) else { return }
    try engine.didWritePastContexts()
    if isAtPrompt, changed != 0 { tellDone("\(Quantity.count(Int(changed), "row")) written") }
  }

  /// Shows the rows of SQL, and makes them the last value, as far as they are read for that.
  private func showRows(of cursor: ValueCursor, in store: any ObjectStore) throws {
    var kept: GrowingRows? = GrowingRows(cursor.columns, engine)
    var count = 0
    let rows = try ValueRows(
      cursor, in: store,
      note: { cursor in
        count += 1
        if count > ValueRows.mostSkipped { kept = nil }
        kept?.add(cursor)
      })
    var options = console.presenter().options
    if isAtPrompt { options.remedyForRows = ".last shows all" }
    try settings.mode.renderer.render(rows, to: console.output, options: options)
    if let kept, rows.isAtEnd { return engine.remember([kept.list]) }
    engine.forgetLast()
    guard isAtPrompt else { return }
    console.tell(
      Remark(.outcome, "_ is nil: these are more rows than it holds by itself; _ = store:sql [[SELECT ...]]"))
  }

  /// `.stats`
  var statsCommand: Command {
    Command(
      name: "stats", arguments: "[on|off]",
      summary: "memory, and what was read from the store; on: by which lines",
      parameters: [.oneOf("on", "off")],
      inSandbox: .allowed,
      run: { (invocation) throws(CommandFailure) in
        switch try invocation.optionalArgument() {
        case nil: printStatistics()
        case "on": engine.reads.recordsLines = true
        case "off": engine.reads.recordsLines = false
        case let other?: throw .invalidArgument(other, expected: ["on", "off"], nearest: nil)
        }
      })
  }

  private func printStatistics() {
    let statistics = engine.statistics ?? FaultStatistics()
    func count(_ rows: Int, _ what: String, _ statements: Int) -> String {
      "\(Quantity.grouped(rows)) \(what) in \(Quantity.grouped(statements)) statements"
    }
    var lines = [
      ("memory", "\(Quantity.bytes(engine.lua.memoryUsed)), at most \(Quantity.bytes(engine.lua.memoryPeak))"),
      ("faults", count(statistics.rowsFaulted, "rows", statistics.faultBatches)),
      ("to-many", count(statistics.membersRead, "members", statistics.memberStatements)),
      ("counts", "\(Quantity.grouped(statistics.countStatements)) statements"),
      ("unsaved", ChangesCommands.changes(engine.stores.unsavedChangeCount)),
    ]
    if statistics.lookupStatements > 0 {
      lines.insert(("lookups", "\(Quantity.grouped(statistics.lookupStatements)) statements"), at: 4)
    }
    let groups = engine.groupStatistics
    if groups.changes > 0 {
      let looked = "\(Quantity.count(groups.rows, "object")) and \(Quantity.count(groups.groups, "group")) looked at"
      lines.append(("live", "\(looked) in \(Quantity.count(groups.changes, "change")) of groups"))
    }
    for (name, text) in lines {
      printText(
        "  " + layout.style(.name, name) + String(repeating: " ", count: 10 - name.count) + text + "\n")
    }
    for line in engine.reads.lines.prefix(10) where line.statements > 1 {
      printText("  " + DisplayText.picturingControls(in: line.sentence, layout.charset) + "\n")
    }
  }

  /// `.trace`
  var traceCommand: Command {
    Command(name: "trace", arguments: "", summary: "the calls that led to the last error", inSandbox: .allowed) {
      (invocation) throws(CommandFailure) in
      guard invocation.arguments.isEmpty else { throw .usage(invocation.command.usage) }
      let lines = errors.lastTraceback.map { $0.isEmpty ? ["no calls led to the last error"] : $0 } ?? ["no error yet"]
      printText(
        lines.map { "  \(DisplayText.picturingControls(in: $0.withoutPasswords, layout.charset))\n" }.joined())
    }
  }
}
