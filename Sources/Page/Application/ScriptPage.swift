internal import LiveQueries
internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Presentation
internal import Reactive
internal import Session

/// A script as a page: what it makes of texts, tables, plots, inputs and buttons each time that it runs.
///
/// It runs for the first browser that asks, and again for the next one after objects have changed, or a state that it has read.
final class ScriptPage {
  /// What makes the page.
  enum Source {
    /// A function that a script has given to `serve`.
    case function(LuaReference)
    case file(NotebookScript)
  }

  private unowned let store: PageStore
  private let source: Source
  /// Lua's `effect`, which a script may have replaced since.
  private let makesEffect: LuaReference
  private var effect: LuaReference?
  private var failure: (any Error)?
  private var isStale = true
  private var token: ObservationToken?
  private(set) var title = ""
  private(set) var elements: [PageElement] = []
  private var printedBytes = 0
  private static let mostElements = 10_000
  private static let mostPrinted = 1 << 18
  /// Called when the page is to be read again.
  var onChange: () -> Void = {}

  /// The file that makes it, by its name in the notebook; nil for the page of a function.
  var file: String? { if case .file(let script) = source { script.name } else { nil } }

  /// What the events of pages call it by.
  var list: String { file.map { "page \($0)" } ?? "application" }

  init(_ source: Source, in store: PageStore) {
    (self.source, self.store) = (source, store)
    let lua = store.session.engine.lua
    lua.pushGlobal("effect")
    makesEffect = lua.stack.popReference()
    token = store.session.engine.mainLiveContext?.observeObjects(name: "serve") { [weak self] _ in self?.invalidate() }
  }

  /// Has the script run again when it is asked for the next time.
  func invalidate() {
    if !isStale { restart() }
  }

  /// The same, also of a page that waits to be asked for, because it took too long.
  func restart() {
    isStale = true
    onChange()
  }

  func close() {
    token?.cancel()
    try? cancel()
  }

  // MARK: Running

  /// Runs the function if something has changed since it ran, or if it has failed.
  ///
  /// - Throws: PageProblem with the error of the script.
  func update() throws {
    if isStale || failure != nil {
      (isStale, failure, title, elements, printedBytes) = (false, nil, "", [], 0)
      try limitingTime { try run() }
    }
    if let failure { throw failure as? PageProblem ?? .failure(store.explanation(of: failure)) }
  }

  /// Stops a page of a notebook that takes too long, unless all that runs has a limit.
  private func limitingTime(_ body: () throws -> Void) throws {
    guard file != nil, store.session.options.timeout == nil else { return try body() }
    let lua = store.session.engine.lua
    try lua.setTimeLimit(seconds: store.longestScript, isFinal: false)
    defer {
      try? lua.setTimeLimit(seconds: nil)
      // It may have ended as the time was over.
      if lua.interruption == .timedOut { lua.clearInterrupt() }
    }
    try body()
  }

  /// Runs the function in an effect, which notices when something that it has read changes.
  private func run() throws {
    try cancel()
    guard let function = try function() else { return }
    let stack = store.session.engine.lua.stack
    stack.reserve(8)
    let top = stack.count
    defer { stack.setCount(top) }
    var hasRun = false
    stack.push(makesEffect)
    stack.pushFunction { [weak self] stack in
      guard let self else { return 0 }
      if hasRun { invalidate() } else { try make(function, on: stack) }
      hasRun = true
      return 0
    }
    try stack.call(arguments: 1, results: 1)
    effect = stack.popReference()
  }

  /// The function that makes the page; nil where a file makes it alone.
  private func function() throws -> LuaReference? {
    switch source {
    case .function(let function): return function
    case .file(let script): return try notingFailure { try script.function(for: self) }.flatMap(\.self)
    }
  }

  private func make(_ function: LuaReference, on stack: LuaStack) throws {
    stack.reserve(4)
    try notingFailure {
      stack.push(function)
      PageBuilder(self, store.session).push(on: stack)
      try stack.call(arguments: 1)
    }
  }

  @discardableResult private func notingFailure<Result>(_ body: () throws -> Result) throws -> Result? {
    do { return try body() } catch {
      failure = error
      let lua = store.session.engine.lua
      guard let interruption = lua.interruption else { return nil }
      // Of a notebook, Ctrl-C stops the page that runs, and what a function of a script serves as a whole.
      guard file != nil else { throw error }
      lua.clearInterrupt()
      if interruption == .timedOut {
        let limit = "a page of a notebook may run for \(Value.double(store.longestScript).displayText) s"
        failure = PageProblem.failure(store.explanation(of: error) + limit)
        // Commits do not start it again, which would leave no time for other pages.
        isStale = true
      }
      return nil
    }
  }

  private func cancel() throws {
    guard let effect else { return }
    self.effect = nil
    _ = try store.session.engine.call("cancel", of: "Effect", on: effect)
  }

  /// - Throws: ArgumentFailure where a script makes a page without end.
  func append(_ element: PageElement) throws {
    guard elements.count < Self.mostElements else {
      throw ArgumentFailure(function: "page", message: "it has more than \(Self.mostElements) elements")
    }
    elements.append(element)
  }

  /// Adds a line to what was printed last.
  ///
  /// - Throws: ArgumentFailure where a script prints without end.
  func print(_ text: String) throws {
    printedBytes += text.utf8.count
    guard printedBytes <= Self.mostPrinted else {
      throw ArgumentFailure(function: "print", message: "the page has more than \(Self.mostPrinted) bytes of text")
    }
    guard case .printed(var lines)? = elements.last else { return try append(.printed(text)) }
    elements.removeLast()
    lines += "\n" + text
    elements.append(.printed(lines))
  }

  func setTitle(_ text: String) { title = text }

  // MARK: Inputs

  /// The name of an input in forms: its kind, its label, and its number among those of the same.
  func name(of kind: String, _ label: String) -> String {
    let same = elements.count { $0.name?.hasPrefix("\(kind) \(label) ") == true }
    return "\(kind) \(label) \(same)"
  }

  /// Does what an input or a button is for.
  ///
  /// - Throws: PageProblem, the error of the script.
  func act(_ name: String, _ value: String?) throws {
    try update()
    guard let element = elements.first(where: { $0.name == name }) else { throw PageProblem.unknownForm }
    try limitingTime { try element.act(value, on: store.session.engine.lua.stack) }
    invalidate()
  }
}
