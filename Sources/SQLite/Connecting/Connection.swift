internal import CSQLite
internal import Glibc
package import Modeling
package import StoreErrors

/// The connection to a store's file.
///
/// It has no mutexes: use it on one thread only. Statements may stay open across other calls, including transactions.
package final class Connection {
  package let path: String
  /// Whether no other connection can see the data.
  package let isPrivate: Bool
  /// SQLite's `sqlite3*`; nil once closed.
  package private(set) var handle: OpaquePointer?
  /// Called every thousand steps of the virtual machine and while waiting for a lock; returning true interrupts.
  package var isInterrupted: () -> Bool {
    didSet { wait.isInterrupted = isInterrupted }
  }
  /// The names of a unique index's columns in messages; nil for a table that no entity uses.
  package var nameConstraint: (_ table: String, _ columns: [String]) -> (entity: String, properties: [String])? = {
    _, _ in nil
  }
  /// Adds the functions that statements need beyond SQLite's own. Called once, when a statement does not compile
  /// without them.
  package var addFunctions: ((Connection) -> Void)?
  /// Waits for the locks of other processes.
  package let wait: BusyWait

  /// Whether commits are rolled back instead.
  package var refusesCommits = false {
    didSet { if handle != nil { _ = sqlite3_commit_hook(handle, refusesCommits ? { _ in 1 } : nil, nil) } }
  }
  /// The number of rows that our statements changed, without the rows changed by triggers.
  package private(set) var directChanges: Int64 = 0

  /// The number of rows that the last statement changed itself, where others have carried its cascade on.
  var changesOfCascade: Int64?

  /// Whether cascades may be deeper than there are tables, by the version of the schema.
  var circles: (version: Int64?, areThere: Bool)?

  /// Checks the SQL of scripts in the sandbox; nil outside of the sandbox.
  package private(set) var confinement: Confinement?

  /// Called with each statement that was run, as a trace shows it; nil without a trace.
  package var traced: ((_ sql: String, _ seconds: Double) -> Void)?

  /// The head of the log, if there is one, before the transaction of `reading` began; nil outside of one.
  var readingBegan: LogHead??

  /// The known commits of other connections.
  package var dataVersions = DataVersions()

  // Lists, not dictionaries: the first dictionary with a new type of keys costs a tenth of a millisecond at each start.
  private var usual: [(text: UsualStatement, statement: Statement)] = []
  private var idle = StatementCache()
  private var keepsIdleStatements = true
  /// The statement that was compiled last; each knows those compiled before and after it.
  private unowned(unsafe) var newest: Statement?

  /// The state of the companion files before this connection; nil for a database without files, and for one that is read without locks.
  let companions: CompanionFiles?
  /// Whether closing keeps the write-ahead log as it is.
  private var keepsLog = false
  /// Whether the first write gives the file a write-ahead log.
  package var beginsLogAtFirstWrite = false

  /// Pages are read from the memory map, so the cache needs few. SQLite goes through the whole cache at the end of a
  /// transaction that has rebalanced an index, which took most of the time of the slowest of a hundred saves.
  private static let cacheKilobytes = 8 * 1024
  /// The amount of changes that a transaction keeps in memory before SQLite writes some of them to the disk.
  private static let unwrittenKilobytes = 64 * 1024
  /// The amount of both while pages are written in their order.
  private static let orderedKilobytes = 4 * 1024
  /// The amount of both while indexes are made: SQLite sorts as much at once as the cache may hold, and what fits into a
  /// processor's own cache in two thirds of the time. It sorts no less than this at once.
  private static let sortedKilobytes = 1024
  private static let mappedBytes = 1 << 30
  /// Where sorts and groups that outgrow the cache go: into a file that SQLite removes when it is made. Memory would take some 60
  /// bytes a row, and is no faster.
  ///
  /// With a memory limit they go into memory: what a script may take must not be had from the disk, without end. So do they where
  /// none of the folders that SQLite tries can be written.
  private static var temporaryStore: String {
    if SQLiteMemory.limit != nil { return "MEMORY" }
    let named = ["SQLITE_TMPDIR", "TMPDIR"].compactMap { (name: String) in getenv(name).map { String(cString: $0) } }
    return (named + ["/var/tmp", "/usr/tmp", "/tmp"]).contains { access($0, W_OK | X_OK) == 0 } ? "FILE" : "MEMORY"
  }

  /// The options for opening a connection.
  package struct Options {
    package var readOnly = false
    /// Reads the file without locks and without its write-ahead log.
    package var immutable = false
    /// Rolls back an unfinished change of another program, as SQLite does by default.
    package var takesBackUnfinished = false
    package var busyTimeout = 5.0
    /// Restricts the SQL of scripts to the SQL that the sandbox allows.
    package var isConfined = false
    package var isInterrupted: () -> Bool = { false }

    package init(
      readOnly: Bool = false, immutable: Bool = false, takesBackUnfinished: Bool = false, busyTimeout: Double = 5,
      isConfined: Bool = false, isInterrupted: @escaping () -> Bool = { false }
    ) {
      (self.readOnly, self.immutable, self.takesBackUnfinished) = (readOnly, immutable, takesBackUnfinished)
      (self.busyTimeout, self.isConfined, self.isInterrupted) = (busyTimeout, isConfined, isInterrupted)
    }
  }

  /// Opens the file at `path`, which must exist, or `:memory:`. An empty path opens a temporary database.
  ///
  /// `name` is the store's name in messages.
  package init(_ path: String, _ options: Options = Options(), name: String? = nil) throws(StoreError) {
    self.path = name ?? path
    isPrivate = path.isEmpty
    isInterrupted = options.isInterrupted
    wait = BusyWait(path: path, timeout: options.busyTimeout, isInterrupted: options.isInterrupted)
    let hasFile = !path.isEmpty && path != ":memory:" && !options.immutable
    companions = hasFile ? CompanionFiles(path) : nil
    do {
      handle = try Self.open(path, options, wait, companions)
      try configure()
      if options.isConfined { confine() }
    } catch {
      sqlite3_close_v2(handle)
      handle = nil
      companions?.restore()
      throw error
    }
  }

  deinit { close() }

  /// Opens a connection that waits for locks; throws the reason if the file cannot be used.
  private static func open(
    _ path: String, _ options: Options, _ wait: BusyWait, _ companions: CompanionFiles?
  ) throws(StoreError) -> OpaquePointer? {
    var access = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    if options.readOnly || options.immutable { access = SQLITE_OPEN_READONLY }
    var handle: OpaquePointer?
    let name = name(of: path, immutable: options.immutable)
    var code = GuardedHandle.open(name, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, &handle)
    if code == SQLITE_OK {
      sqlite3_extended_result_codes(handle, 1)
      sqlite3_busy_handler(
        handle,
        { context, tries in
          guard let context else { return 0 }
          return Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue().again(after: Int(tries)) ? 1 : 0
        }, Unmanaged.passUnretained(wait).toOpaque())
      perilune_refuse_double_quoted_strings(handle)
      if let companions {
        // Until something is written here, the log belongs to the other program; for a damaged file it may be the only
        // good data.
        if companions.wereThere { _ = perilune_keep_log_on_close(handle, 1) }
        if let fact = obstacle(handle, path, options, companions) {
          sqlite3_close_v2(handle)
          throw StoreError(fact, path: path)
        }
      }
      // SQLite examines the file at the first read; this read finds errors early.
      code = sqlite3_exec(handle, "SELECT 1 FROM sqlite_schema LIMIT 1", nil, nil, nil)
    }
    if code == SQLITE_OK { return handle }
    let precise = handle == nil ? code : sqlite3_extended_errcode(handle)
    let message = String(cString: handle == nil ? sqlite3_errstr(code) : sqlite3_errmsg(handle))
    sqlite3_close_v2(handle)
    throw StoreError(wait.fact(code: precise) ?? .sqlite(code: precise, message: message), path: path)
  }

  /// Checks the file before SQLite opens it, because SQLite may change it.
  private static func obstacle(
    _ handle: OpaquePointer?, _ path: String, _ options: Options, _ companions: CompanionFiles
  ) -> StoreError.Fact? {
    if let journal = RollbackJournal.unfinished(handle, path: path) {
      // The header may be in the journal.
      return options.takesBackUnfinished ? nil : .unfinishedChange(pages: journal.pages)
    }
    let header = FileHeader(handle)
    guard let fact = header.damage(hasLog: companions.hadLog) else { return nil }
    if case .damagedHeader = fact, FileHeader(handle, count: 4096).looksEncrypted { return .encryptedOrNotADatabase }
    return fact
  }

  /// The name for SQLite: a URI if options must be passed, otherwise a name that SQLite cannot take for a URI.
  private static func name(of path: String, immutable: Bool) -> String {
    if immutable {
      var encoded = ""
      for byte in path.utf8 {
        let plain = byte == 0x2f || byte == 0x2e || (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
        encoded +=
          plain ? String(UnicodeScalar(byte)) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }
      return "file:\(encoded)?immutable=1"
    }
    return path.hasPrefix("file:") ? "./" + path : path
  }

  private func configure() throws(StoreError) {
    provideCollationsOfApps()
    sqlite3_progress_handler(
      handle, 1000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().isInterrupted() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    if let most = SQLiteMemory.valueLimit { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, most) }
    // With a memory map, reading a page needs no system call, a third of a look-up in a file larger than the cache.
    let settings =
      "PRAGMA cache_size = -\(Self.share(Self.cacheKilobytes));"
      + "PRAGMA cache_spill = -\(Self.share(Self.unwrittenKilobytes));"
      + "PRAGMA temp_store = \(Self.temporaryStore);"
      + "PRAGMA mmap_size = \(SQLiteMemory.share(Self.mappedBytes));"
    try execute(settings)
  }

  private static func share(_ kilobytes: Int) -> Int { SQLiteMemory.share(kilobytes << 10) >> 10 }

  /// Runs `body`, which writes pages mostly in their order, with few of them kept in memory until the commit.
  ///
  /// Pages that are written here and there are better kept: each time that one is written early, the log grows by it.
  package func keepingFewUnwrittenPages<Result>(_ body: () throws -> Result) throws -> Result {
    try withCache(of: Self.orderedKilobytes, body)
  }

  /// Runs `body`, which makes indexes of many rows.
  package func sortingForIndexes(_ body: () throws -> Void) throws { try withCache(of: Self.sortedKilobytes, body) }

  private func withCache<Result>(of kilobytes: Int, _ body: () throws -> Result) throws -> Result {
    func setMost(_ kilobytes: Int, _ unwritten: Int) throws(StoreError) {
      try execute(
        "PRAGMA cache_size = -\(Self.share(kilobytes)); PRAGMA cache_spill = -\(Self.share(unwritten));")
    }
    try setMost(kilobytes, kilobytes)
    // With a connection that fails here, the smaller cache remains, which costs no more than time.
    defer { try? setMost(Self.cacheKilobytes, Self.unwrittenKilobytes) }
    return try body()
  }

  /// Finalizes all statements and closes the connection. Statements that are still retained throw `.closed` from now
  /// on.
  package func close() {
    guard let handle else { return }
    forgetIdleStatements()
    resetAll()
    sqlite3_progress_handler(handle, 0, nil, nil)
    sqlite3_busy_handler(handle, nil, nil)
    self.handle = nil
    if !keepsLog, let companions, companions.wereThere, !companions.areUnchanged {
      _ = perilune_keep_log_on_close(handle, 0)
    }
    // Statements that are still retained keep SQLite's handle alive; none of them runs any more.
    sqlite3_close_v2(handle)
    companions?.restore()
  }
}

// MARK: Statements

extension Connection {
  /// Compiles the first statement of `sql`, to be kept and run many times.
  package func prepare(_ sql: String) throws(StoreError) -> Statement {
    let statement = try Statement(self, sql)
    return statement
  }

  /// A statement for `sql` that is not in use: from the cache, or compiled. Return it with `checkIn`.
  package func checkOut(_ sql: String) throws(StoreError) -> Statement {
    if let statement = idle.take(sql) { return statement }
    return try prepare(sql)
  }

  /// The cached statement of a usual text, for immediate use.
  package func kept(_ usual: UsualStatement) throws(StoreError) -> Statement {
    guard handle != nil else { throw StoreError(.closed, path: path) }
    wait.begin()
    for known in self.usual where known.text === usual { return known.statement }
    let statement = try prepare(usual.sql)
    if keepsIdleStatements { self.usual.append((usual, statement)) }
    return statement
  }

  /// Resets a statement, clears its values, and keeps it for the next use of its text.
  package func checkIn(_ statement: Statement) {
    statement.reset()
    statement.clearBindings()
    guard handle != nil, keepsIdleStatements else { return }
    idle.keep(statement)
  }

  /// Drops all idle statements, and keeps none from now on. This breaks the retain cycle with the connection.
  package func forgetIdleStatements() {
    keepsIdleStatements = false
    idle.removeAll()
    usual = []
  }

  /// Runs `body` with a statement for `sql` whose values are bound.
  package func with<Result>(
    _ sql: String, _ values: [Value] = [], _ body: (Statement) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let statement = try checkOut(sql)
    defer { checkIn(statement) }
    for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
    return try body(statement)
  }

  /// Runs one statement to its end; returns the number of rows it changed.
  @discardableResult
  package func run(_ sql: String, _ values: [Value] = []) throws(StoreError) -> Int {
    try with(sql, values) { statement throws(StoreError) in
      while try statement.step() {}
      return Int(lastChanges)
    }
  }

  /// All rows of a query, with the stored values.
  package func all(_ sql: String, _ values: [Value] = []) throws(StoreError) -> [[Value]] {
    try with(sql, values) { statement throws(StoreError) in
      var rows: [[Value]] = []
      while try statement.step() { rows.append((0..<statement.columnCount).map(statement.value)) }
      return rows
    }
  }

  /// The first column of the first row of a query; nil if there are no rows.
  package func first(_ sql: String, _ values: [Value] = []) throws(StoreError) -> Value? {
    try with(sql, values) { statement throws(StoreError) in try statement.step() ? statement.value(0) : nil }
  }

  /// Runs all statements of a text and ignores their rows.
  package func execute(_ text: String) throws(StoreError) {
    var script = SQLScript(text)
    while !script.isAtEnd {
      let statement = try Statement(self, &script, isForeign: false)
      var code = sqlite3_step(statement.handle)
      while code == SQLITE_ROW { code = sqlite3_step(statement.handle) }
      if code != SQLITE_DONE { throw error(code, sql: text) }
    }
  }

  /// Resets every statement, so that tables can be dropped and transactions rolled back.
  package func resetAll() {
    var next = newest
    while let statement = next {
      statement.reset()
      next = statement.older
    }
  }

  func register(_ statement: Statement) {
    guard statement.handle != nil else { return }
    statement.older = newest
    newest?.newer = statement
    newest = statement
  }

  /// Forgets a statement that is about to be finalized.
  func unregister(_ statement: Statement) {
    statement.older?.newer = statement.newer
    if let newer = statement.newer { newer.older = statement.older } else { newest = statement.older }
  }

  /// Adds the functions that were not added yet; returns false if there are none.
  func installFunctions() -> Bool {
    guard let addFunctions else { return false }
    self.addFunctions = nil
    addFunctions(self)
    return true
  }
}

// MARK: State

extension Connection {
  /// Has all statements read null from some columns, from now on.
  package func hide(_ columns: [(table: String, column: String)]) {
    guard !columns.isEmpty else { return }
    if confinement == nil { confinement = Confinement(handle) }
    confinement?.hide(columns)
  }

  /// Restricts the SQL of scripts to the SQL that the sandbox allows, from now on.
  private func confine() {
    // An additional safeguard: no statement can reach another file.
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    confinement = Confinement(handle)
  }

  /// Has the statements of scripts checked by another confinement; returns the former one.
  @discardableResult func use(_ other: Confinement?) -> Confinement? {
    let former = confinement
    confinement = other
    if let other { other.listen(to: handle) } else { sqlite3_set_authorizer(handle, nil, nil) }
    return former
  }

  package var lastInsertedRowID: Int64 {
    get { handle == nil ? 0 : sqlite3_last_insert_rowid(handle) }
    set { if handle != nil { sqlite3_set_last_insert_rowid(handle, newValue) } }
  }
  /// The number of rows that the last finished statement changed, without triggers.
  package var lastChanges: Int64 { changesOfCascade ?? (handle == nil ? 0 : sqlite3_changes64(handle)) }
  /// The number of rows changed since the connection was opened.
  package var totalChanges: Int64 { handle == nil ? 0 : sqlite3_total_changes64(handle) }
  /// Adds the changes of the statement that has just ended.
  func noteDirectChanges() {
    changesOfCascade = nil
    directChanges += sqlite3_changes64(handle)
  }
  /// Whether a statement was started and has not reached its end.
  package var hasRunningStatements: Bool {
    var next = sqlite3_next_stmt(handle, nil)
    while let statement = next {
      if sqlite3_stmt_busy(statement) != 0 { return true }
      next = sqlite3_next_stmt(handle, statement)
    }
    return false
  }
  package var isInTransaction: Bool { handle != nil && sqlite3_get_autocommit(handle) == 0 }
  /// Whether the file is read-only, independent of the options.
  package var isReadOnly: Bool { handle != nil && sqlite3_db_readonly(handle, "main") == 1 }
}

extension Connection {
  /// Sets whether triggers are enabled. Foreign key actions always are.
  package func enableTriggers(_ enable: Bool) { _ = perilune_enable_triggers(handle, enable ? 1 : 0) }

  /// Treats `"text"` that names no column as a string, as sqlite3 does; views in files of other programs may rely on
  /// it.
  package func allowDoubleQuotedStrings() { _ = perilune_allow_double_quoted_strings(handle, 1) }

  /// Keeps the write-ahead log of another program at closing. SQLite would copy and remove it.
  package func keepLogOnClose() {
    keepsLog = true
    _ = perilune_keep_log_on_close(handle, 1)
  }
}
