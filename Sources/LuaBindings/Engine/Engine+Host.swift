public import LiveQueries
public import LuaRuntime
public import Modeling
public import ObjectGraph
public import SQLiteStorage

// Functions for programs that embed the engine, other than running chunks.
extension Engine {
  /// Makes a function of the program a global with that name and a help line.
  ///
  /// `example` is Lua that runs on the sample store of earthquakes. The arguments are at 1, 2, ...; `body` returns the number of results on the top of the stack. The sandbox refuses
  /// the function unless `inSandbox` declares that it accesses only its arguments, the store and standard output.
  public func define(
    _ name: String, _ signature: String, _ summary: String, inSandbox isSafe: Bool = false, example: String? = nil,
    _ body: @escaping (LuaStack) throws -> Int32
  ) {
    addToCatalog(
      CatalogEntry(kind: .function, owner: "", name: name, signature: signature, summary: summary, example: example))
    if options.isSandboxed, !isSafe {
      lua.setGlobal(name) { _ in throw RefusedInSandbox(name) }
    } else {
      let signature = Signature(signature)
      lua.setGlobal(name) { [unowned self] stack in
        try Call(engine: self, stack: stack, name: name).refuseSurplus(signature)
        return try followingWrites { try body(stack) }
      }
    }
  }

  /// Runs the text of a script with its arguments in `...`, and returns its results.
  ///
  /// A first line that begins with `#` is skipped. The text may contain any bytes.
  public func run(_ source: [UInt8], name: String, arguments: [String] = []) throws -> [LuaReference] {
    let text = source.first == UInt8(ascii: "#") ? Array("--".utf8) + source : source
    let stack = lua.stack
    let top = stack.count
    try lua.load(text, name: name)
    stack.reserve(Int32(clamping: arguments.count) + 4)
    for argument in arguments { stack.push(argument) }
    try stack.call(arguments: Int32(clamping: arguments.count), results: LuaStack.allResults)
    var results: [LuaReference] = []
    while stack.count > top { results.append(stack.popReference()) }
    return results.reversed()
  }

  /// The model in a Lua value; nil for other values.
  public func model(_ value: LuaReference) -> Model? {
    lua.stack.push(value)
    defer { lua.stack.pop() }
    return classes.object(BoundModel.self, at: -1, on: lua.stack)?.model
  }

  /// The model in a global variable; nil for other values.
  public func model(global name: String) -> Model? {
    lua.pushGlobal(name)
    defer { lua.stack.pop() }
    return classes.object(BoundModel.self, at: -1, on: lua.stack)?.model
  }

  /// Makes an open store the one of the globals.
  public func use(_ store: any OpenedStore) {
    if let bound = openStores.first(where: { $0.objectStore === store }) { use(bound) }
  }

  /// Saves the changes of the main context.
  public func save() throws {
    guard let mainStore else { return }
    try followingWrites { try mainStore.mainContext.objectContext.save() }
  }

  /// Drops the unsaved changes of the main context.
  public func rollback() { mainStore?.mainContext.objectContext.rollback() }

  /// Rolls all writes from now on back at the end, in all stores, also those that are opened later.
  ///
  /// - Throws: StoreError; then it has not begun in any.
  public func beginDryRun() throws {
    var begun: [BoundStore] = []
    do {
      for store in openStores where !store.objectStore.isDryRun {
        try store.objectStore.beginDryRun()
        begun.append(store)
      }
    } catch {
      for store in begun { try? store.objectStore.endDryRun(keeping: false) }
      throw error
    }
    isRehearsing = true
  }

  /// Ends the dry run in all stores; commits what was written if `keeping`.
  ///
  /// - Throws: StoreError; then it goes on in the store that refused.
  public func endDryRun(keeping: Bool) throws {
    for store in openStores where store.objectStore.isDryRun {
      try store.objectStore.endDryRun(keeping: keeping)
      if !keeping { store.refreshAllObjects() }
    }
    isRehearsing = false
  }
}

// State of scripts.
extension Engine {
  /// The unsaved changes of each context that has any.
  public func pendingDiffs() throws -> [ContextDiff] {
    try openStores.flatMap(\.contexts).map(\.objectContext).filter(\.hasChanges).map { try $0.diff() }
  }

  /// The read statistics of the main context.
  public var statistics: FaultStatistics? { mainStore?.mainContext.objectContext.statistics }

  /// What changes of the main store made live groups look at.
  public var groupStatistics: GroupStatistics { mainStore?.liveStore?.groupStatistics ?? GroupStatistics() }

  /// The lines of scripts that had a store asked most often, as far as `recordsReads` is on; the worst first.
  public var readLines: [ReadLine] {
    let records = openStores.flatMap(\.contexts).compactMap(\.reads) + [readsOfDropped]
    return records.flatMap(\.lines).sorted { $0.statements > $1.statements }
  }

  /// The number of rows that the program has written to the main store.
  public var changeCount: Int { mainStore?.changeCount ?? 0 }

  /// The changes of the main store's open transaction; nil if the store is read-only.
  ///
  /// - Throws: StoreError.
  public func changesOfTransaction() throws -> ChangeSet? { try mainStore?.sqliteStore?.changesOfTransaction() }

  /// Refreshes unchanged objects and notifies observers, after the program wrote to the main store without its
  /// contexts.
  ///
  /// - Throws: EndlessRounds.
  public func didWritePastContexts() throws {
    mainStore?.refreshAllObjects()
    try followWrites()
  }

  /// What is wrong with the open stores, their contexts and live results, in words; for tests: it reads everything.
  ///
  /// - Throws: StoreError.
  package func brokenInvariants() throws -> [String] {
    try openStores.flatMap { store in
      try store.contexts.flatMap { try $0.objectContext.checkInvariants() } + (store.liveStore?.brokenInvariants ?? [])
    }
  }

  /// Closes a store; unsaved changes are lost.
  public func close(_ store: any OpenedStore) {
    guard let bound = openStores.first(where: { $0.objectStore === store }) else { return }
    bound.close()
  }

  /// Runs `body` with the locals of the Lua function that called the running host function as locals of the session.
  ///
  /// Assignments to them take effect in the function. `body` receives the place of the call, `script.lua:12`, and the
  /// names.
  public func withLocalsOfCaller(_ body: (_ place: String, _ names: [String]) -> Void) throws {
    try locals.withLocalsOfCaller(lua, body)
  }

  /// The top-level locals of the session.
  public var localNames: [String] { locals.names.sorted() }

  /// Whether a text can be neither an expression nor a chunk of Lua, with any continuation.
  public func isMistake(_ text: String) -> Bool {
    if isExpression(text) { return false }
    do {
      try lua.load(text, name: "=check")
      lua.stack.pop()
      return false
    } catch {
      return true
    }
  }

  /// Whether a text is one expression.
  public func isExpression(_ text: String) -> Bool {
    guard (try? lua.load("return \(text)\n", name: "=check")) != nil else { return false }
    lua.stack.pop()
    return true
  }
}
