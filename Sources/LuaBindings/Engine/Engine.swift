public import LuaRuntime
internal import Modeling
public import ObjectGraph
public import Queries
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
    /// Whether handwritten SQL is refused, as scripts of agents have it: they reach a store by its model alone.
    public var refusesSQL = false
    /// Attributes that scripts do not see; they can ask only whether one equals a value, of stores that are only read.
    public var hidden: [HiddenProperty] = []
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
  /// What the surrounding program decides and shows.
  public var host = HostProgram()

  // MARK: The Lua state and its classes

  /// The interpreter, for code that displays or passes on its values.
  public let lua: LuaState
  /// All that scripts find before a store is opened.
  let declarations: Declarations
  /// The Lua classes of the kinds of values.
  let classes: ClassRegistry
  /// The values of scripts and those of the engine, each made from the other.
  let values = LuaValues()
  /// The types of the program that embeds the engine.
  let hostTypes = HostTypes()
  /// Finds the keys of tables that are no properties.
  let fieldFinder: FieldFinder
  /// The top-level locals that chunks share.
  let locals: ChunkLocals
  /// The objects that a person has entered.
  public let scopes = ObjectScopes()
  /// How many values have been numbered `_1`, `_2`, ...
  var rememberedCount = 0

  // MARK: The stores

  /// The stores that are open.
  public let stores: OpenStores
  /// The globals that stand for a store.
  let globals = StoreGlobals()
  /// Which reads are recorded and reported.
  public let reads = ReadReports()
  /// The number of objects written to stores since this was last reset.
  public var savedCounts = WorkCounts()
  /// The undo steps since this was last emptied, in order.
  public var takenBack: [(way: TakenBack, counts: WorkCounts)] = []
  /// Notes for the user about automatic decisions: entities without a global, how a file was read.
  public internal(set) var notes: [String] = []

  // MARK: Turns

  /// The notifications that are due before the turn ends.
  public private(set) var turn = Turn()
  /// Runs the turns: what follows from a change.
  public let turns: TurnRunner
  /// Timers and other event sources.
  public let loop = ScriptLoop()
  /// Whether reads are tracked.
  let tracking = ReadTracking()
  /// The environment of the current scopes.
  let environment = Environment()
  /// The stored preferences.
  let preferences: StoredPreferences

  // MARK: The catalog

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
  /// The functions of the program that embeds the engine.
  private var hostEntries: [CatalogEntry] = []

  /// Creates a Lua state with these declarations as globals and no store.
  init(_ options: Options, _ declarations: Declarations) throws {
    self.options = options
    self.declarations = declarations
    classes = ClassRegistry(declarations.kinds)
    stores = OpenStores(isRehearsing: options.isDryRun)
    turns = TurnRunner(stores)
    preferences = StoredPreferences(options)
    lua = try LuaState(memoryLimit: options.memoryLimit)
    try lua.openStandardLibraries(sandboxed: false)
    locals = try ChunkLocals(lua)
    fieldFinder = try FieldFinder(lua)
    connect()
    if options.isSandboxed { try locals.enterSandbox(lua) }
    lua.errorConverter = { [unowned self] error, stack in pushError(error, on: stack) }
    try installGlobals()
    turn.isInterrupted = { [lua] in lua.isClosed || lua.interruption != nil }
    preferences.file.onProblem = { [weak self] in self?.warn($0.sentence) }
  }

  deinit { close() }

  /// Gives the parts their engine.
  private func connect() {
    (classes.engine, values.engine) = (self, self)
    (stores.engine, globals.engine, reads.engine) = (self, self, self)
    (turns.engine, loop.engine) = (self, self)
    (scopes.engine, preferences.engine, hostTypes.engine) = (self, self, self)
  }

  /// Closes all stores, without saving, and the Lua state.
  public func close() {
    guard !lua.isClosed else { return }
    loop.timers.removeAll()
    preferences.save()
    stores.closeAll()
    lua.close()
  }

  /// Makes a turn of the surrounding program the one of the engine; it goes on when the engine is closed.
  func adopt(_ turn: Turn) {
    self.turn = turn
    turn.isInterrupted = { [lua] in !lua.isClosed && lua.interruption != nil }
  }

  /// Warns the user of a probable mistake.
  func warn(_ text: String) {
    if let onWarning = host.onWarning { onWarning(text) } else { notes.append(text) }
  }

  /// Adds a function of the program that embeds the engine.
  func addToCatalog(_ entry: CatalogEntry) {
    hostEntries.append(entry)
    knownCatalog = nil
  }
}
