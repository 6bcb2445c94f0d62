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

  init(context: ObjectContext, rows: RowCursor? = nil, slots: [Int32] = [], table: ObjectTable) {
    self.context = context
    self.table = table
    self.rows = rows
    self.slots = slots
    isPolymorphic = table.family.count > 1
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
    position &+= 1
    if position & 1023 == 0 { context.sweepIfNeeded() }
    guard try rows.step() else {
      table.leave(rows)
      return nil
    }
    let slot = isPolymorphic ? table.register(rowOf: rows.key, rows.entity) : table.register(rows.key)
    table.stand(rows, on: slot)
    return slot
  }

  /// Ends the iteration early.
  public func close() {
    if let rows {
      table.leave(rows)
      rows.close()
    }
    position = slots.count
  }

  deinit { close() }
}
