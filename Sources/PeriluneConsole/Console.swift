internal import LuaBindings
internal import Modeling
public import PeriluneKit
internal import Session

/// Scripts over the store and the functions of a program.
///
///     let console = try Console(container)
///     try console.define("restart", "restart(name)", "Restarts a worker.") { (name: String) in try workers.restart(name) }
///     let count = try console.evaluate("Quake:count()").value(as: Int.self)
///
/// Scripts run on the thread of the container, in its `viewContext`: they see unsaved changes of the program, and observers of
/// each side notice what the other writes. They have no files, no processes and no SQL.
public final class Console {
  private let container: PersistentContainer
  private let limits: ConsoleLimits
  /// Whether `pause` stops the program.
  public var allowsPauses = true
  /// Runs the prompt of a pause on the terminal, over a connection, until it ends; nil where there is no terminal.
  package var opensTerminal: (@Sendable (_ descriptor: Int32) -> Void)?
  private(set) var definitions: [Definition] = []
  private var session: ScriptSession?
  private var listeners: [ConsoleListener] = []
  private let allProposals = Proposals()
  let pauses = Pauses()

  /// Creates a console over an open store.
  public init(_ container: PersistentContainer, limits: ConsoleLimits = ConsoleLimits()) {
    (self.container, self.limits) = (container, limits)
    ConsoleWatch.current?.add(self)
  }

  deinit { close() }

  /// Ends the scripts' state, and all that listens; the store stays open.
  public func close() {
    for listener in listeners { listener.close() }
    listeners = []
    session?.session.close()
    session = nil
  }

  // MARK: What scripts have

  /// Makes a function of the program a global of scripts, with a line for help, completion and editors.
  ///
  /// `signature` names the parameters, `restart(name [, seconds])`; an argument that a call leaves out is nil, which only an
  /// optional takes. An error that the function throws is the script's, in its own words. A result is a ConsoleValue, or nothing.
  ///
  /// - Throws: ConsoleError if the signature does not fit the function, or the name is taken.
  public func define<each Argument: ConsoleValue, Result>(
    _ name: String, _ signature: String, _ summary: String,
    _ body: @escaping @Sendable (repeat each Argument) throws -> Result
  ) throws {
    var count = 0
    for _ in repeat (each Argument).self { count += 1 }
    try check(name, signature, parameters: count, result: Result.self)
    let invoke: @Sendable ([HostValue]) throws -> HostValue = { values in
      var arguments = ArgumentReader(name, signature, values)
      let taken = (repeat try arguments.next((each Argument).self))
      return try hostValue(of: keepingWords { try body(repeat each taken) })
    }
    try add(Definition(name: name) { $0.define(HostFunction(name, signature, summary, invoke)) })
  }

  /// Makes an asynchronous function of the program a global of scripts.
  ///
  /// The closure runs as a task, on the script's thread or on that of its actor, and the script waits. The limit of the script, Ctrl-C and the
  /// end of the client end the waiting and cancel the task. A closure of the main actor is an error in a script on the main thread.
  ///
  /// - Throws: ConsoleError if the signature does not fit the function, or the name is taken.
  public func define<each Argument: ConsoleValue & Sendable, Result: Sendable>(
    _ name: String, _ signature: String, _ summary: String,
    _ body: @escaping @isolated(any) @Sendable (repeat each Argument) async throws -> Result
  ) throws {
    var count = 0
    for _ in repeat (each Argument).self { count += 1 }
    try check(name, signature, parameters: count, result: Result.self)
    let invoke: @Sendable (Engine, [HostValue]) throws -> HostValue = { engine, values in
      var arguments = ArgumentReader(name, signature, values)
      let taken = (repeat try arguments.next((each Argument).self))
      return try hostValue(
        of: keepingWords { try awaiting(name, body.isolation, engine) { try await body(repeat each taken) } })
    }
    try add(
      Definition(name: name) { engine in
        engine.define(HostFunction(name, signature, summary) { [unowned engine] in try invoke(engine, $0) })
      })
  }

  /// Describes a class whose objects scripts hold.
  ///
  /// - Throws: ConsoleError for a name that Lua does not have.
  public func type<Object: ConsoleObject>(
    _ type: Object.Type, _ describe: (inout ConsoleType<Object>) throws -> Void
  ) throws {
    var description = ConsoleType<Object>()
    try describe(&description)
    try add(Definition(name: "\(Object.self)") { [description] in try $0.define(description.made(for: $0)) })
  }

  private func add(_ definition: Definition) throws {
    let isTaken = try definitions.contains { $0.name == definition.name } || running().engine.hasGlobal(definition.name)
    if isTaken { throw ConsoleError("\(definition.name): the name is that of something else") }
    definitions.append(definition)
    try running().define(definitions)
  }

  /// The types of the store, of all functions and of the program's own, for editors of Lua (LuaCATS).
  public var annotations: String { get throws { try running().session.annotations } }

  // MARK: Scripts

  /// Runs a script, with values of the program as globals.
  ///
  ///     try console.evaluate("order.total > limit", ["order": order, "limit": 100]).value(as: Bool.self)
  ///
  /// - Throws: ConsoleError with the place of a mistake, or for a limit that was reached.
  public func evaluate(_ script: String, _ values: [String: any ConsoleValue] = [:]) throws -> ConsoleAnswer {
    try running().evaluate(script, values)
  }

  /// The mistakes in a script, which does not run: unknown names, wrong predicates, syntax.
  public func validate(_ script: String) throws -> [ConsoleError] {
    var checker = ScriptChecker(try running().engine)
    checker.add(Array(script.utf8))
    return checker.mistakes(0).map { ConsoleError($0.message, line: $0.line, column: $0.columns.lowerBound + 1) }
  }

  /// What may stand at a place of a script, in bytes of UTF-8: names, properties, functions of the program.
  public func completions(of script: String, at offset: Int) throws -> [String] {
    try running().session.complete(script, at: offset).candidates.map(\.text)
  }

  // MARK: Clients

  /// Listens at a socket, to which `perilune attach` connects, until the listener or the console is closed.
  ///
  /// Each client has a thread, a state and a connection to the store of its own beside the program, which waits for none of them.
  /// Each line is in the transcript before it runs, and its outcome before it is shown; without a closure, the transcript is the
  /// file `.transcript` beside the socket. A line that the closure throws for does not run.
  /// With `asksReason`, a client says why it attaches, which each entry has.
  /// `onProposal` receives each save of a client of `.propose` on the client's thread, and may decide about it there.
  ///
  /// - Throws: ConsoleError for a store in memory, and for a place that is taken or open to other users.
  @discardableResult
  public func listen(
    on address: ConsoleAddress, access: ConsoleAccess, limits: ConsoleLimits? = nil, asksReason: Bool = false,
    transcript: (@Sendable (TranscriptEntry) throws -> Void)? = nil,
    onProposal: (@Sendable (ConsoleProposal) -> Void)? = nil
  ) throws -> ConsoleListener {
    guard container.path != ":memory:" else {
      throw ConsoleError("a store in memory has no second connection, which listening needs")
    }
    let listener = try ConsoleListener(
      address,
      settings(
        access, limits ?? self.limits, asksReason: asksReason, transcript: transcript, onProposal: onProposal))
    listeners.append(listener)
    return listener
  }

  /// The saves of clients that wait for a decision, by number.
  public var proposals: [ConsoleProposal] { allProposals.open }

  /// The settings of a client on the terminal of the program, which has no transcript.
  var terminalSettings: ListenerSettings {
    settings(.full, limits, asksReason: false, transcript: { _ in }, onProposal: nil)
  }

  private func settings(
    _ access: ConsoleAccess, _ limits: ConsoleLimits, asksReason: Bool,
    transcript: (@Sendable (TranscriptEntry) throws -> Void)?,
    onProposal: (@Sendable (ConsoleProposal) -> Void)?
  ) -> ListenerSettings {
    ListenerSettings(
      opening: container.opening(isReadOnly: access == .readOnly), definitions: definitions, limits: limits,
      access: access, asksReason: asksReason, transcript: transcript, proposals: allProposals, pauses: pauses,
      onProposal: onProposal)
  }

  func running() throws -> ScriptSession {
    if let session { return session }
    let made = try ScriptSession(container, limits)
    session = made
    return made
  }
}
