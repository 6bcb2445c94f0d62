internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Presentation

extension EngineSession {
  /// Shows values in order.
  func show(_ values: [LuaReference]) throws {
    let stack = engine.lua.stack
    for value in values {
      stack.push(value)
      defer { stack.pop() }
      var presenter = presenter()
      // `.last` shows the first value.
      if isAtPrompt, values.count == 1 { presenter.options.remedyForRows = ".last shows all" }
      try presenter.show(at: -1, on: stack, to: surroundings.output)
    }
  }

  /// The present options for showing values.
  func presenter(_ show: ShowOptions = ShowOptions()) -> ValuePresenter {
    var options = RenderOptions(width: surroundings.window?.columns)
    options.style = surroundings.outputStyle
    options.charset = surroundings.charset
    options.isTerminal = surroundings.outputIsTerminal
    options.maximumColumnWidth = show.maximumWidth
    options.limit = show.limit
    options.tableName = show.tableName ?? settings.tableName
    options.showsHeaders = settings.showsHeaders
    if !surroundings.outputIsTerminal { options.rows = .all }
    options.movesCursor =
      surroundings.outputIsTerminal && surroundings.heldWindow == nil && surroundings.environment["TERM"] != "dumb"
    options.noteRows = { [unowned self] in answeredRows = $0 }
    options.elapsed = { [presenterStart] in monotonicSeconds() - presenterStart }
    options.noteColumns = { [settings] rowName, shown, dropped in
      settings.lastTable = ShownTable(rowName: rowName, shown: shown, dropped: dropped)
    }
    var presenter = ValuePresenter(
      engine: engine, mode: show.mode ?? settings.mode, options: options,
      quotesStrings: surroundings.outputIsTerminal,
      picture: { [unowned self] in picture(of: $0) },
      isFolded: show.isFolded)
    presenter.columnChoice = { [settings] in settings.columnChoice(of: $0) }
    return presenter
  }
}
