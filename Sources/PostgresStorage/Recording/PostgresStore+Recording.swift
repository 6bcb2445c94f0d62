import Layouts
import Modeling
import Postgres
import StoreErrors
import Stores

/// Recording writes, and reporting those of handwritten SQL.
extension PostgresStore {
  /// The tables that are recorded.
  var recordedTables: RecordedTables {
    RecordedTables(model: model, layouts: layouts, tables: tables, interners: interners)
  }

  /// Whether the server has the triggers that record.
  var canRecord: Bool {
    let needed: [ServerCapability] = [.statementTriggers, .transitionTables, .sequences, .transactionNumbers]
    return needed.allSatisfy(profile.has)
  }

  /// Reads at opening what the database records. A store of our own gets the recording that an earlier version lacked.
  func findRecording(_ history: Bool?) throws {
    recording = try PostgresRecording.find(pool, recordedTables)
    if format.declaresSchema, !isReadOnly, canRecord, recording?.isComplete != true, recording?.isWrittenBySaves != true
    {
      // If the tables are locked, or not ours to change, they stay as they are, and commits are noticed by asking.
      try? changingRecord { try recording?.renew(pool, recordedTables) ?? begin(HistoryNames(model)) }
    }
    if let history { try setHistoryEnabled(history) }
  }

  private func begin(_ names: HistoryNames, bySaves: Bool = false) throws {
    recording = try PostgresRecording.make(pool, recordedTables, names, bySaves: bySaves)
  }

  /// Runs `body`, which changes triggers, in a transaction that does not wait for long.
  func changingRecord(_ body: () throws -> Void) throws {
    if isDryRun || transactions.depth > 0 { return try body() }
    // Its ROLLBACK would revert what is assumed done here.
    if isInTransactionByHand { throw StoreError(.openTransaction, path: path) }
    try pool.begin()
    pool.pin()
    defer { pool.unpin() }
    do {
      _ = try pool.run("SET LOCAL lock_timeout = '5s'")
      try body()
      _ = try pool.run("COMMIT")
    } catch {
      _ = try? pool.run("ROLLBACK")
      recording = try? PostgresRecording.find(pool, recordedTables)
      throw error
    }
  }

  /// Whether a history is kept.
  public var isHistoryEnabled: Bool { recording?.names.isOn ?? false }

  /// Switches the history on or off, in the database and for all programs. Earlier records stay.
  ///
  /// - Throws: StoreError; `.historyUnsupported` for a server without the triggers that it takes.
  public func setHistoryEnabled(_ isEnabled: Bool) throws {
    if isHistoryEnabled == isEnabled { return }
    if isReadOnly { throw readOnlyError }
    // Without triggers saves write the record themselves; without numbers of its own there is none.
    guard pool.profile.has(.sequences) else { throw lacking("sequences for the numbers of a history") }
    try changingRecord {
      guard let recording else {
        var names = HistoryNames(model)
        names.isOn = isEnabled
        try begin(names, bySaves: !canRecord)
        if let recording { try skipUnrecorded(recording) }
        return
      }
      var names = recording.names
      names.isOn = isEnabled
      if isEnabled { try skipUnrecorded(recording) } else { try endNumbers(recording) }
      try recording.renew(pool, recordedTables, names: names)
    }
  }

  /// Computes all derived values anew, within a migration.
  func deriveAll() throws {
    try derived?.refreshAll(self)
    try flush()
  }

  // MARK: Commits

  /// Tells the triggers who writes in the open transaction from now on.
  func nameWriter(in recording: PostgresRecording) throws {
    let writer = recording.writer(transactions.info, reversing: transactions.reversal, isMaking: isBeingMade)
    _ = try pool.run("SELECT set_config(\(.text(RecordingBooks.writerSetting)), \(writer), true)")
  }

  /// Tells the triggers on the nodes of Citus who writes in the open transaction, and returns the name of the save there.
  func nameSaveOnNodes() throws -> String? {
    guard let nodeRecord, nodeRecord.isComplete || transactions.info.author != nil else { return nil }
    let save = nodeRecord.nameSave()
    var fields: [String: JSON] = ["store": .string(save)]
    if let author = transactions.info.author { fields["author"] = .string(author) }
    let writer = quotedText(JSON.object(fields).text)
    // The nodes are sent what SET sets, and nothing of set_config.
    _ = try pool.run("SET LOCAL citus.propagate_set_commands TO 'local'")
    _ = try pool.run("SET LOCAL \(raw: RecordingBooks.writerSetting) TO \(raw: writer)")
    return save
  }

  /// Tells them in a dry run, which may be kept: it is a save then, with its author, that can be undone.
  func nameWriterOfDryRun() throws {
    guard isDryRun, !isMigrating, let recording, recording.isComplete else { return }
    try nameWriter(in: recording)
  }

  /// Called before a commit: returns the number of a transaction in which handwritten SQL has written, whose rows only the
  /// record knows.
  func prepareRecord() throws -> String? {
    guard transactions.tellsRecord, recording?.isComplete == true else { return nil }
    let result = try pool.run("SELECT pg_current_xact_id_if_assigned()::text")
    return result.isNull(0, 0) ? nil : result.text(0, 0)
  }

  /// Called after a commit of ours. A failure from here on does not undo it.
  func noteCommit(_ log: CommitLog) {
    let isRecorded = recording?.isComplete == true
    // The next look leaves out our own rows by itself; many rows are better skipped now.
    if isRecorded, log.rowCount <= 100 { return }
    // On other servers a remote commit is assumed anyway.
    guard profile.has(.transactionNumbers) else { return }
    // If the server cannot show it, a remote commit is assumed, too.
    guard let now = try? snapshot() else { return foreign.look("") }
    if isRecorded { foreign.skip(now) } else { foreign.committed(now) }
  }

  /// Reports the rows of a commit of ours by its record; if that cannot be read, reports that anything may have changed.
  func tellRecorded(_ transaction: String) {
    guard let recording else { return }
    guard let touched = try? recorded(transaction, recording) else {
      var touched = TouchedRows()
      touched.isComplete = false
      return commits.tell(OwnCommit(author: transactions.info.author, touched: { touched }) { _ in { [:] } })
    }
    if touched.isEmpty { return }
    commits.tell(
      OwnCommit(author: transactions.info.author, touched: { touched }) { [unowned self] root in
        let values = (try? replacedValues(of: root, in: transaction, recording)) ?? [:]
        return { values }
      })
  }

  /// The old and new column values of rows that a transaction of ours updated, by the rows that it kept.
  private func replacedValues(
    of root: Entity, in transaction: String, _ recording: PostgresRecording
  ) throws -> [Int64: [String: (old: Value, new: Value)]] {
    let layout = layout(of: root)
    guard let key = layout.key.integerName else { return [:] }
    var columns: [ColumnLayout] = []
    for entity in root.root.family {
      for column in self.layout(of: entity).columns where !columns.contains(where: { $0.name == column.name }) {
        columns.append(column)
      }
    }
    let forms = columns.map { tables.form(layout.table, $0.name) }
    func list(_ row: String) -> String {
      zip(columns, forms).map { $1.selected("(\(row)).\(quoted($0.name))") }.joined(separator: ", ")
    }
    let type = try rowType(of: layout.table)
    let result = try pool.run(
      """
      SELECT (n).\(name: key)::bigint, \(raw: list("o")), \(raw: list("n")) FROM ( \
      SELECT i.id, i.old::\(raw: type) AS o, i.new::\(raw: type) AS n FROM \(raw: recording.books.image) AS i \
      WHERE i.tx = \(.untyped(transaction))::xid8 AND i.relation = \(.text(layout.table)) \
      AND i.old IS NOT NULL AND i.new IS NOT NULL OFFSET 0) AS images ORDER BY id
      """)
    var all: [Int64: [String: (old: Value, new: Value)]] = [:]
    var scratch = ColumnReader.Scratch()
    for row in 0..<result.rowCount {
      func value(_ place: Int, _ index: Int) -> Value {
        if result.isNull(row, place) { return .null }
        let read = ColumnReader.read(result.bytes(row, place), forms[index], &scratch)
        return ValueCoding.decode(Value(keyColumn: read), as: columns[index].type)
      }
      for (index, column) in columns.enumerated() {
        let (old, new) = (value(1 + index, index), value(1 + columns.count + index, index))
        let name = column.name.lowercased()
        let first = all[result.int(row, 0)]?[name]?.old ?? old
        all[result.int(row, 0), default: [:]][name] = (first, new)
      }
    }
    return all.mapValues { $0.filter { $0.value.old != $0.value.new } }.filter { !$0.value.isEmpty }
  }
}
