internal import Modeling
internal import Stores

/// Iterates over the objects of a request in constant memory.
///
/// The current object reads its values from the running statement; when the cursor moves on, it becomes a fault
/// unless it was changed. Close the cursor, or step to its end, to release the statement's locks.
public final class ObjectCursor {
  private let context: ObjectContext
  private let table: ObjectTable
  /// The running statement; nil if unsaved changes count, so that the objects were determined beforehand.
  private let rows: RowCursor?
  /// The same statement, unretained, so that a loop over a million rows counts no references.
  private let running: Unmanaged<RowCursor>?
  /// These objects. The result keeps their slots, which a fetch within the loop would otherwise give to others.
  private var result: FetchResult?
  private let isPolymorphic: Bool
  private var position = 0
  /// The objects read ahead, because the loop reads relationships; by key, because slots may be freed.
  private var ahead: [(key: Int64, entity: Entity)] = []
  private var aheadPosition = 0
  /// The relationship questions that are answered for the objects read ahead.
  private var questions: Set<Question> = []
  private var readsBefore = 0
  /// Measures the steps; nil if slow reads are not observed.
  private var clock: ReadClock?

  init(
    context: ObjectContext, rows: RowCursor? = nil, result: FetchResult? = nil, table: ObjectTable,
    clock: ReadClock? = nil
  ) {
    self.clock = clock
    self.context = context
    self.table = table
    self.rows = rows
    running = rows.map(Unmanaged.passUnretained)
    self.result = result
    isPolymorphic = table.family.count > 1
    table.demands = []
  }

  /// The table of the slots that `next()` returns.
  public var objects: ObjectTable { table }

  /// Returns the slot of the next object; nil after the last.
  ///
  /// - Throws: StoreError.
  public func next() throws -> Int32? {
    guard let running else {
      guard let result, position < result.count else { return nil }
      position += 1
      return result.slot(at: position - 1)
    }
    return try running._withUnsafeGuaranteedRef { rows in
      if !ahead.isEmpty { return try nextAhead(rows) }
      if table.hasDemands, try readAhead(rows) { return try nextAhead(rows) }
      return try nextRow(rows)
    }
  }

  private func nextRow(_ rows: RowCursor) throws -> Int32? {
    position &+= 1
    if position & 1023 == 0 { context.sweepIfNeeded() }
    guard try clock?.measure({ try rows.step() }) ?? rows.step() else {
      table.leave(rows)
      tellTime()
      return nil
    }
    let slot = isPolymorphic ? table.register(rowOf: rows.key, rows.entity) : table.register(rows.key)
    table.stand(rows, on: slot)
    return slot
  }

  /// Returns the next object read ahead, reading more if there are none left.
  private func nextAhead(_ rows: RowCursor) throws -> Int32? {
    if aheadPosition > 0 { leave(ahead[aheadPosition - 1].key) }
    if aheadPosition == ahead.count {
      guard try readAhead(rows) else { return try nextRow(rows) }
    }
    let (key, entity) = ahead[aheadPosition]
    aheadPosition += 1
    return table.register(key, entity)
  }

  /// Turns the object that the loop has passed into a fault.
  private func leave(_ key: Int64) {
    if let slot = table.slot(of: key), !table.isDirty(slot) { table.dropRow(slot) }
  }

  /// Reads the rows of the next objects and their relationships; returns false if that does not pay.
  private func readAhead(_ rows: RowCursor) throws -> Bool {
    let served = ahead.count
    let isUsed = table.relationshipReads &- readsBefore >= served / 4
    ahead.removeAll(keepingCapacity: true)
    aheadPosition = 0
    questions.formUnion(table.demands)
    table.demands = []
    readsBefore = table.relationshipReads
    guard isUsed, !questions.isEmpty else {
      questions = []
      return false
    }
    context.sweepIfNeeded()
    table.leave(rows)
    var read: [Int32] = []
    let size = min(max(served, 1) * 4, 256)
    // The cursor's rows may lack later writes.
    let isCurrent = rows.isCurrent
    while read.count < size, try rows.step() {
      let slot = table.register(rows.key, rows.entity)
      if isCurrent, !table.isDirty(slot) || table.row(slot) == nil { table.setRow(slot, rows.pack()) }
      read.append(slot)
      ahead.append((rows.key, rows.entity))
    }
    if !isCurrent { try readAgain(&read) }
    for question in questions { try table.answer(question, for: read) }
    return !ahead.isEmpty
  }

  /// Reads the present rows of the objects read ahead, without those that are gone.
  private func readAgain(_ slots: inout [Int32]) throws {
    try table.fill(keys: slots.filter { table.isFault($0) && !table.isDirty($0) }.map { table.key($0) })
    let isThere = slots.map { !table.isFault($0) || table.isDirty($0) }
    slots = zip(slots, isThere).compactMap { $1 ? $0 : nil }
    ahead = zip(ahead, isThere).compactMap { $1 ? $0 : nil }
  }

  /// Ends the iteration early.
  public func close() {
    if let rows {
      table.leave(rows)
      rows.close()
    }
    tellTime()
    result = nil
    ahead = []
  }

  /// Reports once how long the steps took.
  private func tellTime() {
    clock?.finish(rowsScanned: rows?.rowsScanned ?? 0)
    clock = nil
  }

  deinit { close() }
}
