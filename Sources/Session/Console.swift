package import LuaBindings
internal import LuaRuntime
internal import Modeling
package import Presentation

/// What a session writes, says and shows to its client.
package final class Console {
  package let engine: Engine
  package unowned let client: any SessionClient
  package let settings: ShellSettings
  /// Whether the client receives no remarks but warnings.
  let isQuiet: Bool
  /// Whether a person enters each block and reads its answers.
  package var isAtPrompt = false
  /// Whether a script's run reports entities made for data files, as the prompt does.
  var reportsNewEntities = false
  /// How many rows the running line has answered; nil as long as it has answered none.
  package var answeredRows: Int?
  /// The start of the present evaluation.
  var start = monotonicSeconds()
  /// The number of the engine's notes that the client has received.
  private var reportedNotes = 0

  package var layout: Layout { client.layout }
  package var output: OutputSink { client.output }

  init(_ engine: Engine, _ client: any SessionClient, _ settings: ShellSettings, isQuiet: Bool) {
    (self.engine, self.client, self.settings, self.isQuiet) = (engine, client, settings, isQuiet)
    engine.host.isTyped = { [unowned self] in isAtPrompt }
    engine.host.fitsText = { [charset = client.layout.charset] in
      let shown = DisplayText($0, in: $1, charset)
      return (shown.text, shown.width)
    }
    engine.host.onWarning = { [unowned self] in warn($0) }
    engine.lua.onWarning = { [unowned self] in tell(Remark(.warning, $0)) }
    engine.host.willWait = { [unowned self] in self.client.flush() }
    engine.host.onNewEntity = { [unowned self] entity in
      guard isAtPrompt || reportsNewEntities, !isQuiet else { return }
      tell(Remark(.entity, entity.sentence(arrow: layout.charset == .ascii ? "->" : "→")))
    }
  }

  // MARK: Texts

  /// Writes text to the client's output.
  package func printText(_ text: String) {
    output.write(layout.isTerminal ? DisplayText.picturingAllButColours(in: text, layout.charset) : text)
    output.flush()
  }

  package func tell(_ remark: Remark) { try? client.receive(.remark(remark)) }

  package func report(_ diagnostic: Diagnostic) { try? client.receive(.diagnostic(diagnostic)) }

  /// Reports a warning, which fails nothing.
  package func warn(_ message: String) {
    var diagnostic = Diagnostic(message)
    diagnostic.severity = .warning
    report(diagnostic)
  }

  /// Reports a mistake that has no place in a text.
  func refuse(_ message: String) { report(Diagnostic(message)) }

  /// Reports the engine's notes since the last call: entities without a global, how a file was read.
  package func tellNotes() {
    let notes = engine.notes.dropFirst(reportedNotes)
    reportedNotes = engine.notes.count
    // A scheduled run may read less than its author expects; the notes in its log say why.
    guard !isQuiet else { return }
    for note in notes { tell(Remark(.note, note, heading: "note: ")) }
  }

  /// Begins to report how far something is that takes long.
  func beginProgress(_ label: String?, total: Int?, unit: String) -> ProgressReport {
    ProgressReport(label, total: total, unit: unit) { [unowned self] in try? client.receive(.progress($0)) }
  }

  // MARK: Values

  /// Shows values in order.
  func show(_ values: [LuaReference]) throws {
    for value in values {
      var options = ShowOptions()
      // `.last` shows the first value.
      if isAtPrompt, values.count == 1 { options.remedyForRows = ".last shows all" }
      try show(value, options)
    }
  }

  /// Shows a value in its own way.
  func show(_ value: LuaReference, _ options: ShowOptions) throws {
    try client.receive(.value(Answer(value, options) { [self] in presenter(options) }))
  }

  /// Shows the argument of a function.
  func show(at index: Int32, on stack: LuaStack, _ options: ShowOptions = ShowOptions()) throws {
    stack.pushCopy(of: index)
    try show(stack.popReference(), options)
  }

  /// Shows rows in the present output mode.
  func render(_ source: any TabularSource) throws {
    var options = presenter().options
    options.elapsed = nil
    options.rows = .all
    try settings.mode.renderer.render(source, to: output, options: options)
  }

  /// What shows values with the present options.
  package func presenter(_ show: ShowOptions = ShowOptions()) -> ValuePresenter {
    let layout = layout
    var options = RenderOptions(width: layout.width)
    options.style = layout.style
    options.charset = layout.charset
    options.isTerminal = layout.isTerminal
    options.maximumColumnWidth = show.maximumWidth
    options.limit = show.limit
    options.tableName = show.tableName ?? settings.tableName
    options.showsHeaders = settings.showsHeaders
    options.remedyForRows = show.remedyForRows
    if !layout.isTerminal || show.takesAllRows { options.rows = .all }
    options.movesCursor = layout.movesCursor
    options.noteRows = { [unowned self] in answeredRows = $0 }
    options.elapsed = { [start] in monotonicSeconds() - start }
    options.noteColumns = { [settings] rowName, shown, dropped in
      settings.lastTable = ShownTable(rowName: rowName, shown: shown, dropped: dropped)
    }
    var presenter = ValuePresenter(
      engine, show.mode ?? settings.mode, options, quotesStrings: layout.isTerminal, isFolded: show.isFolded)
    presenter.columnChoice = { [settings] in settings.columnChoice(of: $0) }
    return presenter
  }
}
