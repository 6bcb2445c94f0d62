internal import Storage

/// The objects of a request one after the other, in constant memory.
///
/// The object it stands on reads its values from the running statement; when the cursor moves on it becomes a fault
/// unless it was changed. Close it, or step it to its end, to let the statement's locks go.
public final class ObjectCursor {
  private let context: ObjectContext
  private let source: Source
  private var position = 0
  private var table: ObjectTable

  private enum Source {
    case rows(RowCursor)
    /// Slots worked out beforehand, because unsaved changes take part.
    case slots([Int32])
  }

  init(context: ObjectContext, rows: RowCursor, table: ObjectTable) {
    self.context = context
    self.table = table
    source = .rows(rows)
  }

  init(context: ObjectContext, slots: [Int32], table: ObjectTable) {
    self.context = context
    self.table = table
    source = .slots(slots)
  }

  /// The table of the slots that `next()` returns.
  public var objects: ObjectTable { table }

  /// The slot of the next object; nil after the last.
  public func next() throws -> Int32? {
    switch source {
    case .slots(let slots):
      guard position < slots.count else { return nil }
      position += 1
      return slots[position - 1]
    case .rows(let rows):
      position += 1
      if position & 1023 == 0 { context.sweepIfNeeded() }
      guard try rows.step() else {
        table.leave(rows)
        return nil
      }
      let slot = table.register(rows.key, rows.entity)
      table.stand(rows, on: slot)
      return slot
    }
  }

  /// Ends the iteration early.
  public func close() {
    if case .rows(let rows) = source {
      table.leave(rows)
      rows.close()
    }
    position = .max
  }

  deinit { close() }
}
