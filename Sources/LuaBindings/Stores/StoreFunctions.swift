internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Stores

/// The functions about stores as a whole.
enum StoreFunctions {
  private static let options =
    ["create", "model", "durable", "readOnly", "busyTimeout", "history", "textDates"]
    + MigrationFunctions.options.map(\.name)

  static let entries = CatalogEntry.options(
    of: "open", example: #"open(":memory:", { model = store.model })"#,
    [
      ("create", "true to create the file if it does not exist."), ("model", "The model of the store."),
      ("durable", "true to survive a power cut after each save."),
      ("readOnly", "true to refuse every write."),
      ("busyTimeout", "How many seconds to wait for another process's lock; 5 by default."),
      ("textDates", "false to read dates that a file made elsewhere keeps as text as texts."),
      ("history", "true to record who changes what from now on, false to stop; kept in the file."),
    ] + MigrationFunctions.options)

  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "open", "open(path [, { create = , model = , readOnly = , durable = }]) -> store",
      "Opens a store; the file's content decides its format: rows (\(DataFile.Format.list("and")), also as .gz) become a store in memory.",
      sandbox: .allowed, example: #"open(":memory:", { model = store.model })"#
    ) { call in
      let path = try call.fileName(1, "the path of a store")
      let store =
        isData(path, call)
        ? try call.engine.stores.open([DataFile(path)]) : try call.engine.stores.open(try storeOptions(call))
      return .object(store)
    },
    GlobalFunction(
      "use", "use(store)", "Sets the store of the entity globals, `store` and `context`.", sandbox: .allowed,
      example: "use(store)"
    ) { call in
      guard let store = call.engine.classes.object(BoundStore.self, at: call.index(1), on: call.stack) else {
        throw call.expected("a store", 1)
      }
      try store.checkOpen(call)
      call.engine.globals.use(store)
      return .nothing
    },
  ]

  /// Whether a path is that of a data file, which becomes a store in memory; store options exclude that.
  private static func isData(_ path: String, _ call: Call) -> Bool {
    !call.engine.options.isSandboxed && call.isMissing(2) && DataFile.isNamed(path)
  }

  private static func storeOptions(_ call: Call) throws -> StoreOptions {
    var store = StoreOptions(path: try call.fileName(1, "the path of a store"))
    if call.engine.options.isSandboxed, store.path != ":memory:" {
      throw RefusedInSandbox(call.place, reason: StoreOpening.of(store.path).refusalInSandbox)
    }
    let options = try call.options(2, options)
    store.create = try options.bool("create") ?? (store.path == ":memory:")
    store.isMaking = !call.engine.host.isTyped()
    store.durable = try options.bool("durable") ?? false
    let isReadOnly = try options.bool("readOnly")
    store.readOnly = isReadOnly ?? (call.engine.options.opensReadOnly && store.path != ":memory:")
    store.writesCoreData = isReadOnly.map { !$0 } ?? call.engine.options.writesCoreData
    store.busyTimeout = try options.number("busyTimeout") ?? store.busyTimeout
    store.history = try options.bool("history")
    store.readsDateTexts = try options.bool("textDates")
    store.model = try options.with("model") { index in
      guard let model = call.engine.classes.object(BoundModel.self, at: index, on: call.stack) else {
        throw options.expected("a Model", "model", index)
      }
      return model.model
    }
    try MigrationFunctions.read(options, into: &store)
    return store
  }
}

extension OpenStores {
  /// Opens a store for scripts.
  func open(_ options: StoreOptions) throws -> BoundStore {
    try open(options, rehearses: isRehearsing)
  }

  /// Opens a store for scripts; with `rehearses`, its changes are rolled back at the end.
  func open(_ options: StoreOptions, rehearses: Bool, isInterruptible: Bool = true) throws -> BoundStore {
    makeRoom()
    var options = options
    options.isConfined = engine.options.isSandboxed
    options.readsDateTexts = options.readsDateTexts ?? engine.options.readsDateTexts
    if options.path != ":memory:" { options.hidden = engine.options.hidden }
    options.isInterrupted = { [unowned engine = engine!] in
      engine.host.onWait?()
      return isInterruptible && !engine.lua.isClosed && engine.lua.isInterrupted
    }
    let history = options.history
    if rehearses { options.history = nil }
    options.isRehearsal = rehearses
    let store = try StoreOpening.of(options.path).open(options, engine)
    if rehearses {
      if let report = store.migration { engine.host.didRehearseMigration?(store, report) }
      try store.beginDryRun()
      if let history { try store.setHistoryEnabled(history) }
    }
    let bound = add(store)
    if !options.hidden.isEmpty {
      var whole = options
      whole.hidden = []
      bound.hiddenLookUp = HiddenLookUp(options.hidden) { [whole, unowned engine = engine!] in
        try StoreOpening.of(whole.path).open(whole, engine)
      }
    }
    return bound
  }
}
