internal import LuaBindings
internal import PeriluneKit
internal import Presentation
internal import Session
internal import Stores

extension Session {
  /// A session over the container of a program.
  ///
  /// Scripts run in the sandbox and without SQL: they reach the store by its model, and the program by what it has defined.
  convenience init(
    program container: PersistentContainer, _ limits: ConsoleLimits, _ client: any SessionClient, mode: String? = nil,
    isReadOnly: Bool = false, screens: Screens? = nil, commands: (SessionParts) -> [Command] = { _ in [] }
  ) throws {
    var options = SessionOptions()
    options.isEmbedded = true
    options.takesScriptOutput = true
    options.mode = mode.flatMap(OutputMode.init)
    options.engine.isSandboxed = true
    options.engine.refusesSQL = true
    options.engine.opensReadOnly = isReadOnly
    options.engine.memoryLimit = limits.memory
    try self.init(options, client, screens: screens) { SessionCommands.list($0, client: commands($0)) }
    engine.use(
      SharedStore(store: container.store, context: container.viewContext.objectContext, live: container.live))
  }
}
