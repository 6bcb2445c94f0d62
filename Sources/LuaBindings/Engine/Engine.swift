public import LuaRuntime
public import Modeling
public import ObjectGraph
public import Reactive
public import Storage

/// Lua with the engine in it: what the REPL, batch runs and embedding programs talk to.
///
///     let engine = try Engine()
///     try engine.open(StoreOptions(path: "quakes.sqlite"))
///     let results = try engine.evaluate("Quake:count()", name: "=stdin")
///
/// It belongs to one thread; only `interrupt()` may be called from another. Errors of scripts arrive as `LuaError`, which
/// `report(_:)` puts into words.
public final class Engine {
  /// How scripts are limited.
  public struct Options: Sendable {
    /// How many bytes Lua, and what Swift holds for it, may take.
    public var memoryLimit = 4 << 30
    /// No files, processes, environment, bytecode or C modules for scripts.
    public var isSandboxed = false
    /// Whether stores opened by scripts refuse writes (`--read-only`).
    public var opensReadOnly = false
    /// If true, Core Data stores are opened for writing by default; otherwise they are opened read-only.
    public var writesCoreData = false
    /// Whether dates that files made elsewhere keep as text are read as dates, where opening one does not say (`--no-text-dates`).
    public var readsDateTexts = true
    /// Whether stores opened by scripts undo everything at the end (`--dry-run`).
    public var isDryRun = false
    /// Whether marks in texts, such as the one for a clause that is fulfilled, keep to ASCII.
    public var usesASCII = false
    /// The file of the values that last from one run to the next; nil keeps them in memory.
    public var preferencePath: String?

    /// No limits but memory.
    public init() {}
  }

  /// How scripts are limited.
  public let options: Options
  /// The functions and members that scripts can use.
  public internal(set) var catalog: Catalog
  /// Notes for the user about automatic decisions: entities without a global, how a file was read.
  public internal(set) var notes: [String] = []

  /// How many objects were written to stores since this was last set.
  public var savedCounts = WorkCounts()
  /// What was taken back since this was last emptied, in its order.
  public var takenBack: [(way: TakenBack, counts: WorkCounts)] = []
  /// Asked before changes are written to a store, with what they are by entity; false refuses them.
  public var approvesChanges: (([Entity: WorkCounts]) throws -> Bool)?
  /// Asks whether a statement of SQL, with the values of its parameters, may run; false refuses it.
  public var approvesSQL: ((String, [Value], SQLiteStore) throws -> Bool)?
  /// Asked before a context saves, with what it will write; what it returns is called when that is done.
  public var willSave: ((ContextDiff) throws -> () -> Void)?
  /// Called in a dry run with the migration that opening a store would have made.
  public var didRehearseMigration: ((SQLiteStore, MigrationReport) -> Void)?
  /// Called with the progress of long work on files.
  public var onProgress: ((TransferProgress) -> Void)?
  /// Called again and again while something runs that asks whether it shall stop.
  public var onWait: (() -> Void)?

  /// Cuts a text to so many columns of a terminal and measures it; without it, a character is a column.
  public var fitsText: ((String, Int) -> (text: String, width: Int))?

  /// Writes a file, in the place of another of its name only if `replaces`; nil where there are no files.
  public var writesFile: ((_ path: String, _ replaces: Bool, _ bytes: [UInt8]) throws -> Void)?

  /// Called with each entity that was made for a data file.
  public var onNewEntity: ((ImportedEntity) -> Void)?

  /// Called with errors of callbacks when they happen, and with errors of a turn of the loop at its end. Without it,
  /// `endTurn` returns these errors.
  public var onCallbackErrors: (([any Error]) -> Void)?
  /// Called before `runLoop` waits, so that printed output is shown first.
  public var willWait: (() -> Void)?
  /// The notifications that are due before the turn ends.
  public let turn = Turn()
  /// Timers, and what else is attended to while nothing runs.
  let loop = Loop()

  /// The interpreter, for those who show and pass on its values.
  public let lua: LuaState
  let session: Session
  /// The objects that the session is in, the innermost last.
  var scopes: [ObjectScope] = []
  /// A Lua function; see `makeFinderMaker`.
  let makeFinder: LuaReference
  /// Every store that a script or the program opened and has not closed, in that order.
  var openStores: [BoundStore] = []
  /// Those that were closed: Lua may hold objects of them, which must find out; see `forgetDropped`.
  var closedStores: [BoundStore] = []
  /// The store that the entity globals, `store` and `context` stand for.
  var mainStore: BoundStore?
  /// The context that globals stand for in the scope that runs; nil for the main one of `mainStore`.
  var scopeContext: BoundContext?
  /// How often a script has chosen the store of the globals.
  var useCount = 0
  /// The globals that were installed for `mainStore`.
  var installedGlobals: [String] = []
  /// Whether contexts note which lines of scripts have the store asked for what is not in memory.
  public var recordsReads = false {
    didSet {
      readsOfDropped = ReadRecord()
      for context in openStores.flatMap(\.contexts) { context.recordsReads = recordsReads }
    }
  }
  /// Whether each line's time and queries are measured.
  var isProfiling = false
  /// The reads that dropped contexts had noted.
  var readsOfDropped = ReadRecord()
  /// The seconds after which a fetch or a count is slow; nil if slow reads are not reported.
  public var slowReadLimit: Double? {
    didSet {
      for context in openStores.flatMap(\.contexts) { context.watchSlowReads() }
    }
  }
  /// Called with each slow fetch and count, and its context.
  public var onSlowRead: ((SlowRead, ObjectContext) -> Void)?
  /// Called once with each probable mistake; without it, probable mistakes are among the notes.
  public var onWarning: ((String) -> Void)?
  /// The values of the scopes that scripts are in.
  let environment = Environment()
  /// The values that last from one run to the next.
  let preferences: PreferenceFile
  /// What has them follow other processes, once there are any.
  var preferenceWatch: [Reactive.ObservationToken] = []
  /// The same for stores that do not last.
  let passingPreferences = PreferenceFile(path: nil)
  /// Whether what is read is taken down; a pointer, as every read of a property asks it.
  let trackingFlag: UnsafeMutablePointer<Bool>
  /// The errors of callbacks since the end of the last turn.
  var callbackErrors: [any Error] = []
  /// The interruption that stopped a callback and all code around it.
  var stoppedCallback: (any Error)?
  /// How many values have been numbered `_1`, `_2`, ...
  var rememberedCount = 0
  /// The classes of objects of all contexts.
  let objectClasses = ObjectClassRegistry()

  /// Starts a Lua with the whole catalog as globals and no store.
  public init(_ options: Options = Options()) throws {
    self.options = options
    trackingFlag = .allocate(capacity: 1)
    trackingFlag.initialize(to: false)
    preferences = PreferenceFile(
      path: options.isSandboxed ? nil : options.preferencePath, keepsChanges: !options.isDryRun)
    lua = try LuaState(memoryLimit: options.memoryLimit)
    try lua.openStandardLibraries(sandboxed: false)
    session = try Session(lua)
    makeFinder = try Self.makeFinderMaker(lua)
    if options.isSandboxed { try session.enterSandbox(lua) }
    catalog = Catalog(entries: Globals.functions.map(\.entry) + Globals.entries)
    lua.errorConverter = { [unowned self] error, stack in pushError(error, on: stack) }
    installGlobals()
    turn.isInterrupted = { [lua] in lua.isClosed || lua.interruption != nil }
    // Once a turn is often enough; closing the engine sees to the rest.
    preferences.writesAtOnce = false
    preferences.onProblem = { [weak self] in self?.warn($0.sentence) }
  }

  deinit {
    close()
    trackingFlag.deallocate()
  }

  /// Closes all stores, unsaved changes dropped, and ends Lua.
  public func close() {
    guard !lua.isClosed else { return }
    loop.timers.removeAll()
    preferences.save()
    for store in openStores { store.close() }
    openStores = []
    mainStore = nil
    lua.close()
  }

  // MARK: Classes, made when they are first needed

  lazy var errors = makeErrorClass()
  lazy var nulls = NullValue.luaClass(of: self)
  lazy var null = NullValue.reference(in: self)
  lazy var dates = makeDateClass()
  lazy var decimals = BoundDecimal.luaClass(of: self)
  lazy var objectIDs = makeObjectIDClass()
  lazy var typeWords = makeTypeWordClass()
  lazy var attributeDrafts = AttributeDraft.luaClass(of: self)
  lazy var relationshipDrafts = RelationshipDraft.luaClass(of: self)
  lazy var fetchedPropertyDrafts = FetchedPropertyDraft.luaClass(of: self)
  lazy var entityDrafts = EntityDraft.luaClass(of: self)
  lazy var models = BoundModel.luaClass(of: self)
  lazy var predicates = BoundPredicate.luaClass(of: self)
  lazy var expressions = BoundExpression.luaClass(of: self)
  lazy var sortDescriptors = BoundSortDescriptor.luaClass(of: self)
  lazy var stores = makeStoreClass()
  lazy var migrationPlans = BoundMigrationPlan.luaClass(of: self)
  lazy var contexts = makeContextClass()
  lazy var entities = makeEntityClass()
  lazy var entityLists = makeEntityListClass()
  lazy var computedProperties = makeComputedPropertiesClass()
  lazy var collections = makeCollectionClass()
  lazy var observationTokens = BoundObservationToken.luaClass(of: self)
  lazy var states = BoundState.luaClass(of: self)
  lazy var bindings = BoundBinding.luaClass(of: self)
  lazy var observables = BoundObservable.luaClass(of: self)
  lazy var dynamicProperties = BoundDynamicProperty.luaClass(of: self)
  lazy var bindables = makeBindableClass()
  lazy var effects = BoundEffect.luaClass(of: self)
  lazy var storages = BoundStorage.luaClass(of: self)
  lazy var namespaces = makeClass(BoundNamespace.self, keepsIdentity: true)
  lazy var requests = BoundRequest.luaClass(of: self)
  lazy var plots = BoundPlot.luaClass(of: self)
  lazy var listings = BoundListing.luaClass(of: self)
  lazy var results = BoundResult.luaClass(of: self)
  lazy var fetchedResults = BoundFetchedResults.luaClass(of: self)
  lazy var sections = BoundSection.luaClass(of: self)
  lazy var sectionLists = BoundSections.luaClass(of: self)
  lazy var fetchedValues = BoundFetchedValues.luaClass(of: self)
  lazy var changes = BoundChange.luaClass(of: self)
  lazy var historyObservers = BoundHistoryObserver.luaClass(of: self)
  lazy var histories = BoundHistory.luaClass(of: self)
  lazy var historyTransactions = makeClass(BoundHistoryTransaction.self, keepsIdentity: true)
  lazy var historyChanges = BoundHistoryChange.luaClass(of: self)
}
