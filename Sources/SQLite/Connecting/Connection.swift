internal import CSQLite
package import Modeling
package import StoreErrors

/// The one connection to a store's file.
///
/// Used on one thread only: the connection has no mutexes. Statements may stay open across anything, transactions included.
package final class Connection {
  package let path: String
  /// Whether nobody else can see what is written.
  package let isPrivate: Bool
  /// SQLite's `sqlite3*`; nil once closed.
  package private(set) var handle: OpaquePointer?
  /// Asked every thousand steps of the virtual machine and while waiting for a lock; true interrupts.
  package var isInterrupted: () -> Bool {
    didSet { wait.isInterrupted = isInterrupted }
  }
  /// What the columns of a unique index are called to people; nil where the table is nobody's.
  package var nameConstraint: (_ table: String, _ columns: [String]) -> (entity: String, properties: [String])? = {
    _, _ in nil
  }
  /// Adds what statements may call besides SQLite's own functions, once, when one does not compile without it.
  package var addFunctions: ((Connection) -> Void)?
  /// Waits for the locks of other processes.
  package let wait: BusyWait

  /// Whether nobody may commit: what tries to is undone instead.
  package var refusesCommits = false {
    didSet { if handle != nil { _ = sqlite3_commit_hook(handle, refusesCommits ? { _ in 1 } : nil, nil) } }
  }
  /// Rows that statements of ours changed themselves, those changed by triggers left out.
  package private(set) var directChanges: Int64 = 0

  /// Decides on the SQL of scripts in the sandbox; nil elsewhere.
  package private(set) var confinement: Confinement?

  /// What is known of others' commits.
  package var dataVersions = DataVersions()

  private var usual: [ObjectIdentifier: Statement] = [:]
  private var idle: [String: Statement] = [:]
  private var keepsIdleStatements = true
  private var open: [OpaquePointer: Unowned] = [:]
  private struct Unowned { unowned let statement: Statement }

  /// The files beside the database, as they were before; nil for one without files.
  private let companions: CompanionFiles?
  /// Whether the write-ahead log stays as it is at closing, whoever wrote to it.
  private var keepsLog = false
  /// Whether the first that is written is to be preceded by the file's being given a write-ahead log.
  package var beginsLogAtFirstWrite = false

  /// How many finished statements are kept for the next use of their text.
  private static let idleLimit = 128
  /// Pages that are read come from the map, so that few need a place of their own. SQLite looks through all of them at the
  /// end of a transaction that has put pages of an index in order, which was what the slowest of a hundred saves waited for.
  private static let cacheKilobytes = 8 * 1024
  /// A transaction keeps that much of what it writes before some of it goes to the disk early.
  private static let unwrittenKilobytes = 64 * 1024
  private static let mappedBytes = 1 << 30

  /// What a connection is opened with.
  package struct Options {
    package var readOnly = false
    /// Reads the file as it is, without locks and without its write-ahead log.
    package var immutable = false
    /// Takes a change back that somebody left unfinished, as SQLite does unasked.
    package var takesBackUnfinished = false
    package var busyTimeout = 5.0
    /// Keeps the SQL of scripts to what the sandbox allows.
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

  /// Opens `path`, which must exist or be `:memory:`; an empty one is a database that goes with the connection.
  ///
  /// `name` is what messages call it.
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

  /// Opens a connection that waits for locks; throws what is wrong with the file.
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
        // The log is another program's as long as nothing was written here, and all there is if the file is damaged.
        if companions.wereThere { _ = perilune_keep_log_on_close(handle, 1) }
        if let fact = obstacle(handle, path, options, companions) {
          sqlite3_close_v2(handle)
          throw StoreError(fact, path: path)
        }
      }
      // SQLite looks into the file at the first read: what is wrong with it is found out now.
      code = sqlite3_exec(handle, "SELECT 1 FROM sqlite_schema LIMIT 1", nil, nil, nil)
    }
    if code == SQLITE_OK { return handle }
    let precise = handle == nil ? code : sqlite3_extended_errcode(handle)
    let message = String(cString: handle == nil ? sqlite3_errstr(code) : sqlite3_errmsg(handle))
    sqlite3_close_v2(handle)
    throw StoreError(wait.fact(code: precise) ?? .sqlite(code: precise, message: message), path: path)
  }

  /// What must be known before SQLite looks at the file, which may change it.
  private static func obstacle(
    _ handle: OpaquePointer?, _ path: String, _ options: Options, _ companions: CompanionFiles
  ) -> StoreError.Fact? {
    if let journal = RollbackJournal.unfinished(handle, path: path) {
      // What the journal holds may be the header.
      return options.takesBackUnfinished ? nil : .unfinishedChange(pages: journal.pages)
    }
    let header = FileHeader(handle)
    guard let fact = header.damage(hasLog: companions.hadLog) else { return nil }
    if case .damagedHeader = fact, FileHeader(handle, count: 4096).looksEncrypted { return .encryptedOrNotADatabase }
    return fact
  }

  /// The name SQLite is given: a URI where options must be passed, else a name that it cannot take for one.
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
    let kilobytes = [Self.cacheKilobytes, Self.unwrittenKilobytes].map { SQLiteMemory.share($0 << 10) >> 10 }
    // Through a map a page costs no system call, which is a third of a look-up in a file larger than the cache.
    let settings =
      "PRAGMA cache_size = -\(kilobytes[0]); PRAGMA cache_spill = -\(kilobytes[1]);"
      + "PRAGMA temp_store = MEMORY;"
      + "PRAGMA mmap_size = \(SQLiteMemory.share(Self.mappedBytes));"
    try execute(settings)
  }

  /// Ends every statement and the connection; statements still held answer `.closed` from now on.
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
    // Statements that somebody still holds keep SQLite's side alive; nothing runs on it any more.
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

  /// A statement for `sql` that nobody uses, compiled unless one was checked in; check it in when it is done with.
  package func checkOut(_ sql: String) throws(StoreError) -> Statement {
    if let statement = idle.removeValue(forKey: sql) { return statement }
    return try prepare(sql)
  }

  /// A statement that is used by one at a time, for a moment.
  package func kept(_ usual: UsualStatement) throws(StoreError) -> Statement {
    guard handle != nil else { throw StoreError(.closed, path: path) }
    wait.begin()
    if let known = self.usual[ObjectIdentifier(usual)] { return known }
    let statement = try prepare(usual.sql)
    if keepsIdleStatements { self.usual[ObjectIdentifier(usual)] = statement }
    return statement
  }

  /// Takes a statement back, reset and without its values, for the next who needs the same text.
  package func checkIn(_ statement: Statement) {
    statement.reset()
    statement.clearBindings()
    guard handle != nil, keepsIdleStatements else { return }
    if idle.count >= Self.idleLimit { idle.removeAll(keepingCapacity: true) }
    idle[statement.sql] = statement
  }

  /// Lets go of all statements that nobody uses, now and later: they and the connection hold each other.
  package func forgetIdleStatements() {
    keepsIdleStatements = false
    idle = [:]
    usual = [:]
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

  /// Runs one statement to its end; returns how many rows it changed.
  @discardableResult
  package func run(_ sql: String, _ values: [Value] = []) throws(StoreError) -> Int {
    try with(sql, values) { statement throws(StoreError) in
      while try statement.step() {}
      return Int(sqlite3_changes64(handle))
    }
  }

  /// Every row of a query, as stored.
  package func all(_ sql: String, _ values: [Value] = []) throws(StoreError) -> [[Value]] {
    try with(sql, values) { statement throws(StoreError) in
      var rows: [[Value]] = []
      while try statement.step() { rows.append((0..<statement.columnCount).map(statement.value)) }
      return rows
    }
  }

  /// The first column of the first row of a query; nil without rows.
  package func first(_ sql: String, _ values: [Value] = []) throws(StoreError) -> Value? {
    try with(sql, values) { statement throws(StoreError) in try statement.step() ? statement.value(0) : nil }
  }

  /// Runs all statements of a text and leaves their rows alone.
  package func execute(_ text: String) throws(StoreError) {
    var script = SQLScript(text)
    while !script.isAtEnd {
      let statement = try Statement(self, &script, isForeign: false)
      var code = sqlite3_step(statement.handle)
      while code == SQLITE_ROW { code = sqlite3_step(statement.handle) }
      if code != SQLITE_DONE { throw error(code, sql: text) }
    }
  }

  /// Ends the run of every statement, so that tables can be dropped and transactions undone.
  package func resetAll() {
    for entry in open.values { entry.statement.reset() }
  }

  package func register(_ statement: Statement) {
    if let handle = statement.handle { open[handle] = Unowned(statement: statement) }
  }

  /// Adds the functions that are not there yet; false where there are none.
  func installFunctions() -> Bool {
    guard let addFunctions else { return false }
    self.addFunctions = nil
    addFunctions(self)
    return true
  }

  func unregister(_ handle: OpaquePointer) { open[handle] = nil }
}

// MARK: State

extension Connection {
  /// Keeps the SQL of scripts to what the sandbox allows, from now on.
  private func confine() {
    // Whatever else is overlooked, no statement reaches another file.
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    confinement = Confinement(handle)
  }

  package var lastInsertedRowID: Int64 {
    get { handle == nil ? 0 : sqlite3_last_insert_rowid(handle) }
    set { if handle != nil { sqlite3_set_last_insert_rowid(handle, newValue) } }
  }
  /// Rows that the statement that ended last changed itself.
  package var lastChanges: Int64 { handle == nil ? 0 : sqlite3_changes64(handle) }
  /// Rows changed since the connection was opened.
  package var totalChanges: Int64 { handle == nil ? 0 : sqlite3_total_changes64(handle) }
  /// Counts what the statement that just ended changed.
  func noteDirectChanges() { directChanges += sqlite3_changes64(handle) }
  /// Whether a statement has been begun and is not at its end.
  package var hasRunningStatements: Bool {
    var next = sqlite3_next_stmt(handle, nil)
    while let statement = next {
      if sqlite3_stmt_busy(statement) != 0 { return true }
      next = sqlite3_next_stmt(handle, statement)
    }
    return false
  }
  package var isInTransaction: Bool { handle != nil && sqlite3_get_autocommit(handle) == 0 }
  /// Whether the file can only be read, whatever was asked for.
  package var isReadOnly: Bool { handle != nil && sqlite3_db_readonly(handle, "main") == 1 }
}

extension Connection {
  /// Whether triggers are enabled. Foreign key actions always are.
  package func enableTriggers(_ enable: Bool) { _ = perilune_enable_triggers(handle, enable ? 1 : 0) }

  /// Reads `"text"` that names no column as a string, as sqlite3 does: views of other files may count on it.
  package func allowDoubleQuotedStrings() { _ = perilune_allow_double_quoted_strings(handle, 1) }

  /// Leaves the write-ahead log as it is at closing, which else is copied and removed: it is another program's.
  package func keepLogOnClose() {
    keepsLog = true
    _ = perilune_keep_log_on_close(handle, 1)
  }
}
