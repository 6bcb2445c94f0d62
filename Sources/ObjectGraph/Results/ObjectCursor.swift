internal import Modeling
internal import Storage

/// The objects of a request one after the other, in constant memory.
///
/// The object it stands on reads its values from the running statement; when the cursor moves on it becomes a fault
/// unless it was changed. Close it, or step it to its end, to let the statement's locks go.
public final class ObjectCursor {
  private let context: ObjectContext
  private let table: ObjectTable
  /// The running statement; nil where the slots were worked out beforehand, because unsaved changes take part.
  private let rows: RowCursor?
  private let slots: [Int32]
  private let isPolymorphic: Bool
  private var position = 0
  /// What was read ahead, because relationships are read in the loop; objects by key, as slots may be given back.
  private var ahead: [(key: Int64, entity: Entity)] = []
  private var aheadPosition = 0
  /// What is answered for the objects read ahead.
  private var questions: Set<Question> = []
  private var readsBefore = 0
  /// Measures the steps; nil where nobody asks how long they take.
  private var clock: ReadClock?

  init(
    context: ObjectContext, rows: RowCursor? = nil, slots: [Int32] = [], table: ObjectTable, clock: ReadClock? = nil
  ) {
    self.clock = clock
    self.context = context
    self.table = table
    self.rows = rows
    self.slots = slots
    isPolymorphic = table.family.count > 1
    table.demands = []
  }

  /// The table of the slots that `next()` returns.
  public var objects: ObjectTable { table }

  /// The slot of the next object; nil after the last.
  public func next() throws -> Int32? {
    guard let rows else {
      guard position < slots.count else { return nil }
      position += 1
      return slots[position - 1]
    }
    if !ahead.isEmpty { return try nextAhead(rows) }
    if table.hasDemands, try readAhead(rows) { return try nextAhead(rows) }
    return try nextRow(rows)
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

  /// The next object that was read ahead; more are read when there are no more.
  private func nextAhead(_ rows: RowCursor) throws -> Int32? {
    if aheadPosition > 0 { leave(ahead[aheadPosition - 1].key) }
    if aheadPosition == ahead.count {
      guard try readAhead(rows) else { return try nextRow(rows) }
    }
    let (key, entity) = ahead[aheadPosition]
    aheadPosition += 1
    return table.register(key, entity)
  }

  /// Lets the object that the loop has passed become a fault.
  private func leave(_ key: Int64) {
    if let slot = table.slot(of: key), !table.isDirty(slot) { table.dropRow(slot) }
  }

  /// Reads the rows of the next objects, and what the loop will ask about them; false when that is not worth it.
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
    // What was written since the cursor was opened may not be in its rows.
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

  /// Reads the rows of what was read ahead as they are now; what is gone by now is left out.
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
    position = slots.count
    ahead = []
  }

  /// Says how long the steps took, once.
  private func tellTime() {
    clock?.finish(rowsScanned: rows?.rowsScanned ?? 0)
    clock = nil
  }

  deinit { close() }
}
