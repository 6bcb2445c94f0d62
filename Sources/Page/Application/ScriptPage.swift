internal import LiveQueries
internal import LuaBindings
internal import LuaRuntime
internal import Presentation
internal import Reactive

/// A function of a script as a page: what it makes of texts, tables, plots, inputs and buttons each time that it runs.
///
/// It runs for the first browser that asks, and again for the next one after objects have changed, or a state that it has read.
final class ScriptPage {
  private unowned let store: PageStore
  private let function: LuaReference
  /// Lua's `effect`, which a script may have replaced since.
  private let makesEffect: LuaReference
  private var effect: LuaReference?
  private var failure: (any Error)?
  private var isStale = true
  private var token: ObservationToken?
  private(set) var title = ""
  private(set) var elements: [PageElement] = []
  /// Called when the page is to be read again.
  var onChange: () -> Void = {}

  /// What the events of pages call it by.
  static let name = "application"

  init(_ function: LuaReference, in store: PageStore) {
    (self.function, self.store) = (function, store)
    let lua = store.session.engine.lua
    lua.pushGlobal("effect")
    makesEffect = lua.stack.popReference()
    token = store.session.engine.mainLiveContext?.observeObjects(name: "serve") { [weak self] _ in self?.invalidate() }
  }

  private func invalidate() {
    if isStale { return }
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
      (isStale, failure, title, elements) = (false, nil, "", [])
      try run()
    }
    if let failure { throw PageProblem.failure(store.sentence(of: failure)) }
  }

  /// Runs the function in an effect, which notices when something that it has read changes.
  private func run() throws {
    try cancel()
    let stack = store.session.engine.lua.stack
    stack.reserve(8)
    let top = stack.count
    defer { stack.setCount(top) }
    var hasRun = false
    stack.push(makesEffect)
    stack.pushFunction { [weak self] stack in
      guard let self else { return 0 }
      if hasRun { invalidate() } else { try make(on: stack) }
      hasRun = true
      return 0
    }
    try stack.call(arguments: 1, results: 1)
    effect = stack.popReference()
  }

  private func make(on stack: LuaStack) throws {
    stack.reserve(4)
    do {
      stack.push(function)
      PageBuilder(self, store.session).push(on: stack)
      try stack.call(arguments: 1)
    } catch {
      failure = error
      // What Ctrl-C stops is not the page alone.
      if store.session.engine.lua.interruption != nil { throw error }
    }
  }

  private func cancel() throws {
    guard let effect else { return }
    self.effect = nil
    _ = try store.session.engine.call("cancel", of: "Effect", on: effect)
  }

  func append(_ element: PageElement) { elements.append(element) }
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
    try element.act(value, on: store.session.engine.lua.stack)
    invalidate()
  }
}
