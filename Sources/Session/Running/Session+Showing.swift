internal import LuaBindings
package import LuaRuntime
internal import Modeling
internal import Presentation

extension Session {
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
  package func show(_ value: LuaReference, _ options: ShowOptions) throws {
    try client.receive(.value(Answer(value, options, of: self)))
  }

  /// Shows the argument of a function.
  func show(at index: Int32, on stack: LuaStack, _ options: ShowOptions = ShowOptions()) throws {
    stack.pushCopy(of: index)
    try show(stack.popReference(), options)
  }

  /// The present options for showing values.
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
    options.elapsed = { [presenterStart] in monotonicSeconds() - presenterStart }
    options.noteColumns = { [settings] rowName, shown, dropped in
      settings.lastTable = ShownTable(rowName: rowName, shown: shown, dropped: dropped)
    }
    var presenter = ValuePresenter(
      engine, show.mode ?? settings.mode, options, quotesStrings: layout.isTerminal, isFolded: show.isFolded)
    presenter.columnChoice = { [settings] in settings.columnChoice(of: $0) }
    return presenter
  }
}
