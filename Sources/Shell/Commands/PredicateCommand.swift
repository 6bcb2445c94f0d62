internal import FullScreens
internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Session
internal import Terminal

extension EngineSession {
  /// `.predicate [ENTITY] [{ NAME = VALUE }] [TEXT]`
  var predicateCommand: Command {
    var command = Command(
      name: "predicate", arguments: "[ENTITY] [{ NAME = VALUE, ... }] [TEXT]",
      summary: "type a predicate and see at once what fulfils it",
      parameters: [.words { [unowned self] in session.parts.tools.entityCandidates }, predicateParameter],
      inSandbox: .allowed,
      run: { [unowned self] (invocation) throws(CommandFailure) in
        let start = try predicateStart(invocation.text)
        try perform {
          guard let context = engine.mainContext else { return }
          let values = try start.values.map { (table: try table($0), text: $0) }
          let inquiry = PredicateInquiry(
            session, start.entity, in: context, sortDescriptors: start.sortDescriptors, values: values)
          if isAtPrompt, showsFullScreens {
            try openScreen(inquiry, start.text, invocation.context)
          } else {
            try printOnce(inquiry, start.text)
          }
        }
      })
    (command.takesText, command.mayBePiped) = (true, false)
    return command
  }

  /// The completions of a predicate behind the name of its entity.
  private var predicateParameter: Command.Parameter {
    .rest { [unowned self] text, cursor, words in
      let (before, _) = text.split(atByte: cursor)
      guard let entity = words.first.flatMap({ engine.store?.model.entity(named: $0) }),
        let context = engine.stores.context(of: entity)
      else { return Completions(start: cursor) }
      return ValueCompleter(engine: engine, context: context).completions(before, in: entity)
        ?? PredicateCompleter(entity: entity).completions(before, at: 0)
    }
  }

  private func table(_ text: String) throws -> LuaReference {
    let values = try engine.evaluate(text, name: "=.predicate")
    guard let value = values.first else {
      throw ArgumentFailure(function: ".predicate", message: "the table is missing")
    }
    return value
  }

  // MARK: On a terminal

  private func openScreen(_ inquiry: PredicateInquiry, _ text: String, _ context: ShellContext) throws {
    surroundings.flushOutput()
    if options.timeout != nil { try engine.lua.setTimeLimit(seconds: nil) }
    let name = inquiry.entity.name
    let earlier = EarlierPredicates((commandHistory ?? History()).entries.map(\.text), entity: name) { [self] in
      string($0)
    }
    let screen = PredicateScreen(inquiry, ShellTerminal(surroundings), text: text, earlier: earlier)
    switch try screen.inquire() {
    case .left: break
    case .typed(let text): context.remember(".predicate \(name) \(text)")
    case .taken(let predicate, let text): try take(predicate, text, inquiry, context)
    }
  }

  /// Stores the request in `_`, and adds the line that produces it to the history.
  private func take(
    _ predicate: Predicate?, _ text: String?, _ inquiry: PredicateInquiry, _ context: ShellContext
  ) throws {
    guard let request = try engine.reference(to: inquiry.request(predicate)) else { return }
    engine.remember([request])
    let line = PredicateLine(inquiry, text: text).text
    context.remember(line)
    surroundings.say(
      surroundings.messageStyle(.note, "_ = " + DisplayText(line, in: 400, surroundings.charset).text) + "\n")
  }

  /// The text of a Lua string literal.
  private func string(_ literal: String) -> String? {
    let stack = engine.lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    guard (try? engine.lua.load("return \(literal)", name: "=literal")) != nil,
      (try? stack.call(arguments: 0, results: 1)) != nil
    else { return nil }
    return stack.string(at: -1)
  }

  // MARK: Elsewhere

  /// Prints the counts and the first rows.
  private func printOnce(_ inquiry: PredicateInquiry, _ text: String) throws {
    var request = inquiry.request(nil)
    if text.contains(where: { !$0.isWhitespace }) {
      var predicate = try Predicate.parse(text)
      if let values = inquiry.values { predicate = try engine.predicates.bind(predicate, values.table) }
      request.predicate = predicate
    }
    try request.validate(for: .fetch)
    var counts = MatchCounts()
    counts.yes = try inquiry.count(request.predicate)
    if let predicate = request.predicate {
      counts.total = try inquiry.total()
      counts.no = try inquiry.count(~predicate)
    }
    let charset = surroundings.charset
    let name = inquiry.entity.name
    printText((counts.no == nil ? "\(Quantity.grouped(counts.yes ?? 0)) \(name)" : counts.text(charset)) + "\n")
    let page = try inquiry.page(request.predicate, offset: 0, count: 10)
    guard !page.rows.isEmpty else { return }
    var options = presenter().options
    options.elapsed = nil
    let writer = GridWriter(
      layout: GridLayout(page.columns.columns, rows: page.rows, options: options), options: options)
    writer.header(page.columns.columns, to: surroundings.output)
    for row in page.rows { writer.row(row, to: surroundings.output) }
    writer.bottom(to: surroundings.output)
    surroundings.output.flush()
  }
}
