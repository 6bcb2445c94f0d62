public import Modeling

// The history: what every transaction changed, including those of other programs.
extension SQLiteStore {
  /// The author and context that the history records for the next transactions.
  public var transactionInfo: TransactionInfo {
    get { recorder.info }
    set { recorder.info = newValue }
  }

  /// Runs `body`, whose transactions are recorded under `info`.
  public func attributing<Result>(_ info: TransactionInfo, _ body: () throws -> Result) rethrows -> Result {
    let before = transactionInfo
    transactionInfo = info
    defer { transactionInfo = before }
    return try body()
  }

  /// Whether changes by this and all other programs are recorded.
  public var isHistoryEnabled: Bool {
    get throws { try format.isHistoryEnabled(in: self) }
  }

  /// Switches the recording of changes on or off, in the file and for all programs. Recorded changes stay.
  ///
  /// - Throws: StoreError, `.historyUnsupported` or `.historyOfApp` for files that were not made here.
  public func setHistoryEnabled(_ isEnabled: Bool) throws {
    try format.setHistoryEnabled(isEnabled, in: self)
  }

  /// Returns the requested transactions, oldest first.
  ///
  /// - Throws: StoreError, `.noHistory`, `.historyExpired` if changes after the token are missing.
  public func history(_ request: HistoryRequest = HistoryRequest()) throws -> [HistoryTransaction] {
    try shownHistory().answer(request)
  }

  /// Returns the changes of a transaction that was fetched without them, limited to `entity` if given.
  public func historyChanges(
    of transaction: HistoryTransaction, entity: Entity? = nil
  ) throws -> [HistoryChange] {
    try shownHistory().answer(transaction.range, of: entity)
  }

  /// The token after everything recorded so far.
  public var currentHistoryToken: HistoryToken {
    get throws { try shownHistory().newestToken() }
  }

  /// The history; refused where properties are hidden, of which it may have values.
  private func shownHistory() throws -> any StoreHistory {
    if hidesProperties { throw StoreError(.historyHidden, path: path) }
    return try format.history(of: self)
  }

  /// Deletes all transactions before that of `token`, which stays valid.
  /// Returns the number of deleted changes.
  @discardableResult
  public func deleteHistory(before token: HistoryToken) throws -> Int {
    let reader = try historyReader()
    return try transaction { try reader.delete(before: token) }
  }

  /// Deletes all transactions before a time; returns the number of deleted changes.
  @discardableResult
  public func deleteHistory(before date: Timestamp) throws -> Int {
    let reader = try historyReader()
    return try transaction { try reader.delete(before: date) }
  }

  /// Deletes the whole history; returns the number of deleted changes.
  @discardableResult
  public func deleteHistory() throws -> Int {
    let reader = try historyReader()
    return try transaction { try reader.deleteAll() }
  }

  // MARK: For the store itself

  /// Called at opening: updates the triggers of a history that an earlier version switched on.
  func renewHistory() {
    guard format.keepsOurBooks, !isReadOnly else { return }
    let control = HistorySwitch(connection)
    let layout = ModelLayout(layoutsOf: model)
    guard (try? control.isOutdated(layout)) == true else { return }
    // If the file is locked or read-only, the old triggers stay; the next opening tries again.
    try? transaction { if try control.isOutdated(layout) { try control.renew(layout) } }
  }

  /// Called when the connection has begun to write.
  func beginRecording(continuing: Bool) {
    if format.keepsOurBooks { recorder.begin(connection, continuing: continuing) }
  }

  /// Called before the commit, or after a part of a transaction that is committed elsewhere.
  func endRecording() throws {
    let rowID = connection.lastInsertedRowID
    defer { connection.lastInsertedRowID = rowID }
    commits?.keepAnswers()
    try recorder.end(connection)
  }

  /// Reads the history that is ours.
  func historyReader() throws -> HistoryReader {
    guard format.keepsOurBooks else { throw StoreError(format.missingHistory, path: path) }
    guard let names = try HistorySwitch(connection).names() else { throw StoreError(.noHistory, path: path) }
    return HistoryReader(connection, model, layouts, names)
  }
}
