package import Comparison
package import LuaBindings
package import LuaRuntime
internal import Modeling
package import ObjectGraph
internal import Presentation
package import Queries
package import Session

/// The full screens of a session's functions, each on a terminal of its own.
package struct SessionScreens {
  private unowned let session: Session
  private let terminal: () -> any ScreenTerminal

  private var engine: Engine { session.engine }

  package init(_ session: Session, terminal: @escaping () -> any ScreenTerminal) {
    (self.session, self.terminal) = (session, terminal)
  }

  package func watch(_ watched: WatchedQuery, _ content: LiveRows, search: LuaReference?) throws {
    try WatchScreen(session, watched, content, search: search, terminal()).watch()
  }

  package func watch(_ plot: WatchedPlot) throws { try PlotScreen(session, plot, terminal()).watch() }

  /// Walks through objects, and keeps the request that the walk led to in `_`.
  package func browse(_ request: FetchRequest, in context: ObjectContext) throws {
    let screen = try BrowseScreen(session, request, in: context, terminal())
    try screen.browse()
    let step = screen.step
    guard let request = try engine.reference(to: step.request) else { return }
    engine.remember([request])
    let charset = screen.charset
    let text = step.line(charset) ?? "\(step.entity.name) where \(step.request.predicate?.description ?? "")"
    tell(DisplayText(text, in: 400, charset).text)
  }

  /// Shows differences, keeps them in `_`, and returns whether the stores are equal.
  package func browse(_ comparison: StoreComparison) throws -> Bool {
    // As a value of Lua it keeps both stores open.
    guard let context = engine.context(of: comparison), let difference = engine.reference(to: comparison) else {
      return true
    }
    let screen = DifferenceScreen(session, try DifferenceList(comparison), context, terminal())
    try screen.run()
    engine.remember([difference])
    tell(screen.summary)
    return screen.isEmpty
  }

  /// Says what `_` is now.
  private func tell(_ text: String) {
    if session.isAtPrompt { session.parts.console.tell(Remark(.outcome, "_ = \(text)")) }
  }
}
