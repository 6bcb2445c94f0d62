public import LuaRuntime
internal import Modeling
public import ObjectGraph
public import Reactive
internal import Stores

/// A Lua state with the engine in it, for the REPL, batch runs and embedding programs.
///
///     let engine = try Engine()
///     try engine.open(StoreOptions(path: "quakes.sqlite"))
///     let results = try engine.evaluate("Quake:count()", name: "=stdin")
///
/// It belongs to one thread; only `interrupt()` may be called from another. Errors of scripts are `LuaError`s, which
/// `report(_:)` turns into sentences.
public final class Engine {
  /// The limits of scripts.
  public struct Options: Sendable {
    /// The maximum number of bytes for Lua and for the objects in Swift that it holds.
    public var memoryLimit = 4 << 30
    /// Whether scripts have no files, processes, environment, bytecode or C modules.
    public var isSandboxed = false
    /// Whether stores opened by scripts refuse writes (`--read-only`).
    public var opensReadOnly = false
    /// Whether Core Data stores are opened for writing by default rather than read-only.
    public var writesCoreData = false
    /// Whether dates that files made elsewhere keep as text are read as dates, where opening one does not say (`--no-text-dates`).
    public var readsDateTexts = true
    /// Whether stores opened by scripts undo everything at the end (`--dry-run`).
    public var isDryRun = false
    /// Whether marks in texts, such as the one for a true clause, are ASCII.
    public var usesASCII = false
    /// The file of stored preferences; nil keeps them in memory.
    public var preferencePath: String?

    /// Creates options without limits except memory.
    public init() {}
  }

  /// The limits of scripts.
  public let options: Options
  /// The functions and members that scripts can use.
  ///
  /// Made when help or completion first ask for it: no script needs it to run.
  public var catalog: Catalog {
    if let knownCatalog { return knownCatalog }
    let made = Catalog(entries: declarations.entries + hostEntries)
    knownCatalog = made
    return made
  }
  private var knownCatalog: Catalog?
  /// All that scripts find before a store is opened.
  let declarations: Declarations
  /// The Lua classes of the kinds of values.
  let classes: ClassRegistry
  /// The values of scripts and those of the engine, each made from the other.
  let values = LuaValues()
  /// The predicates, sort descriptors and expressions of scripts.
  public var predicates: PredicateReader { PredicateReader(engine: self) }
  /// The functions of the program that embeds the engine.
  private var hostEntries: [CatalogEntry] = []
  /// What the surrounding program decides and shows.
  public var host = HostProgram()
  /// Notes for the user about automatic decisions: entities without a global, how a file was read.
  public internal(set) var notes: [String] = []

  /// The number of objects written to stores since this was last reset.
  public var savedCounts = WorkCounts()
  /// The undo steps since this was last emptied, in order.
  public var takenBack: [(way: TakenBack, counts: WorkCounts)] = []
  /// The notifications that are due before the turn ends.
  public let turn = Turn()
  /// Timers and other event sources.
  let loop = Loop()

  /// The interpreter, for code that displays or passes on its values.
  public let lua: LuaState
  let locals: ChunkLocals
  /// The entered objects, innermost last.
  var scopes: [ObjectScope] = []
  /// A Lua function; see `makeFinderMaker`.
  let makeFinder: LuaReference
  /// Every store that a script or the program opened and has not closed, in order of opening.
  var openStores: [BoundStore] = []
  /// The number of open stores at which opening one closes the dropped ones.
  var storeSweepCount = 16
  /// Whether writes to opened stores are rolled back at the end.
  var isRehearsing: Bool
  /// Closed stores whose objects Lua may hold, so that these can report it; see `forgetDropped`.
  var closedStores: [BoundStore] = []
  /// The store behind the entity globals, `store` and `context`.
  var mainStore: BoundStore?
  /// The context behind the globals in the current scope; nil for the main context of `mainStore`.
  var scopeContext: BoundContext?
  /// How often a script has changed the store of the globals.
  var useCount = 0
  /// The globals that were installed for `mainStore`.
  var installedGlobals: [String] = []
  /// Whether contexts record which lines of scripts cause reads from the store.
  public var recordsReads = false {
    didSet {
      readsOfDropped = ReadRecord()
      for context in openStores.flatMap(\.contexts) { context.recordsReads = recordsReads }
    }
  }
  /// Whether each line's time and queries are measured.
  var isProfiling = false
  /// The reads that dropped contexts had recorded.
  var readsOfDropped = ReadRecord()
  /// The seconds after which a fetch or a count is slow; nil if slow reads are not reported.
  public var slowReadLimit: Double? {
    didSet {
      for context in openStores.flatMap(\.contexts) { context.watchSlowReads() }
    }
  }
  /// The environment of the current scopes.
  let environment = Environment()
  /// The stored preferences.
  let preferences: PreferenceFile
  /// The tokens by which the preferences follow other processes, once they do.
  var preferenceWatch: [Reactive.ObservationToken] = []
  /// Preferences for stores in memory, which are not stored.
  let passingPreferences = PreferenceFile(path: nil)
  /// Whether reads are tracked; a pointer, because every read of a property tests it.
  let trackingFlag: UnsafeMutablePointer<Bool>
  /// The errors of callbacks since the end of the last turn.
  var callbackErrors: [any Error] = []
  /// The interruption that stopped a callback and all code around it.
  var stoppedCallback: (any Error)?
  /// How many values have been numbered `_1`, `_2`, ...
  var rememberedCount = 0

  /// Creates a Lua state with these declarations as globals and no store.
  init(_ options: Options, _ declarations: Declarations) throws {
    self.options = options
    self.declarations = declarations
    classes = ClassRegistry(declarations.kinds)
    isRehearsing = options.isDryRun
    trackingFlag = .allocate(capacity: 1)
    trackingFlag.initialize(to: false)
    preferences = PreferenceFile(
      path: options.isSandboxed ? nil : options.preferencePath, keepsChanges: !options.isDryRun)
    lua = try LuaState(memoryLimit: options.memoryLimit)
    try lua.openStandardLibraries(sandboxed: false)
    locals = try ChunkLocals(lua)
    makeFinder = try Self.makeFinderMaker(lua)
    (classes.engine, values.engine) = (self, self)
    if options.isSandboxed { try locals.enterSandbox(lua) }
    lua.errorConverter = { [unowned self] error, stack in pushError(error, on: stack) }
    try installGlobals()
    turn.isInterrupted = { [lua] in lua.isClosed || lua.interruption != nil }
    // The preferences are written once per turn, and when the engine closes.
    preferences.writesAtOnce = false
    preferences.onProblem = { [weak self] in self?.warn($0.sentence) }
  }

  deinit {
    close()
    trackingFlag.deallocate()
  }

  /// Closes all stores, without saving, and the Lua state.
  public func close() {
    guard !lua.isClosed else { return }
    loop.timers.removeAll()
    preferences.save()
    for store in openStores { store.close() }
    openStores = []
    mainStore = nil
    lua.close()
  }

  /// Adds a function of the program that embeds the engine.
  func addToCatalog(_ entry: CatalogEntry) {
    hostEntries.append(entry)
    knownCatalog = nil
  }
}
