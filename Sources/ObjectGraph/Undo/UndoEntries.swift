internal import Modeling

/// The steps of an undo group, in the order in which they were made.
///
/// A script may change a million values before it saves. A step that set a column to a number, a date, a truth value or nil takes
/// 24 bytes; one of other values takes theirs besides, and any other step a place of its own.
struct UndoEntries {
  private var records: [Record] = []
  /// The tables of the recorded steps.
  private var tables: [Unmanaged<ObjectTable>] = []
  /// The values that do not fit into records.
  private var values: [Value] = []
  /// The entries that are no records of their own.
  private var others: [UndoGroup.Entry] = []

  /// A step that set a column, or the place of an entry in `others`.
  private struct Record {
    let slot: Int32
    let column: UInt16
    /// The number of the table; `noTable` for an entry of `others`, whose place `old` is.
    let table: UInt8
    /// The forms of the old value, in the lower half, and the new one.
    var forms: UInt8
    var old: UInt64
    var new: UInt64
  }

  /// How a record holds a value.
  private enum Form: UInt8 { case null, no, yes, int, double, date, kept }

  private static let noTable = UInt8.max

  /// No steps.
  init() {}

  /// The steps of some entries.
  init(_ entries: some Sequence<UndoGroup.Entry>) { for entry in entries { append(entry) } }

  /// Adds a step behind the others.
  mutating func append(_ entry: UndoGroup.Entry) {
    guard case .column(let slot, let column, let old, let new) = entry.step, !entry.isReversed,
      let number = UInt16(exactly: column), let table = place(of: entry.table)
    else {
      records.append(
        Record(slot: 0, column: 0, table: Self.noTable, forms: 0, old: UInt64(others.count), new: 0))
      return others.append(entry)
    }
    let (before, after) = (packed(old), packed(new))
    records.append(
      Record(
        slot: slot, column: number, table: table, forms: before.form.rawValue | after.form.rawValue << 4,
        old: before.bits, new: after.bits))
  }

  /// Makes a step part of the last one if it continues it: the insertion of the next slot, or another value of the same column.
  mutating func extendLast(by entry: UndoGroup.Entry) -> Bool {
    guard let last = records.indices.last, !entry.isReversed else { return false }
    guard records[last].table != Self.noTable else { return extendLastOther(by: entry) }
    guard case .column(let slot, let column, _, let new) = entry.step, records[last].slot == slot,
      Int(records[last].column) == column, table(records[last].table) === entry.table
    else { return false }
    // A value that is kept for the last step is the last of them.
    if Form(rawValue: records[last].forms >> 4) == .kept { values.removeLast() }
    let after = packed(new)
    records[last].new = after.bits
    records[last].forms = records[last].forms & 15 | after.form.rawValue << 4
    return true
  }

  private mutating func extendLastOther(by entry: UndoGroup.Entry) -> Bool {
    let place = others.count - 1
    guard !others[place].isReversed, others[place].table === entry.table else { return false }
    switch (others[place].step, entry.step) {
    case (.insert(let first, let count), .insert(let next, 1)) where next == first + count:
      others[place].step = .insert(first: first, count: count + 1)
    case (.column(let slot, let column, let old, _), .column(let other, let otherColumn, _, let new))
    where other == slot && otherColumn == column:
      others[place].step = .column(slot, column: column, old: old, new: new)
    default: return false
    }
    return true
  }

  /// The place of a table; nil if there are too many.
  private mutating func place(of table: ObjectTable) -> UInt8? {
    if let known = tables.lastIndex(where: { $0.toOpaque() == Unmanaged.passUnretained(table).toOpaque() }) {
      return UInt8(truncatingIfNeeded: known)
    }
    guard tables.count < Self.noTable else { return nil }
    tables.append(.passUnretained(table))
    return UInt8(truncatingIfNeeded: tables.count - 1)
  }

  private func table(_ number: UInt8) -> ObjectTable { tables[Int(number)].takeUnretainedValue() }

  private mutating func packed(_ value: Value) -> (form: Form, bits: UInt64) {
    switch value {
    case .null: return (.null, 0)
    case .bool(let flag): return (flag ? .yes : .no, 0)
    case .int(let number): return (.int, UInt64(bitPattern: number))
    case .double(let number): return (.double, number.bitPattern)
    case .date(let date): return (.date, date.seconds.bitPattern)
    case .decimal, .string, .uuid, .url, .data, .json, .object, .list:
      values.append(value)
      return (.kept, UInt64(values.count - 1))
    }
  }

  private func value(_ form: UInt8, _ bits: UInt64) -> Value {
    switch Form(rawValue: form) {
    case .no: .bool(false)
    case .yes: .bool(true)
    case .int: .int(Int64(bitPattern: bits))
    case .double: .double(Double(bitPattern: bits))
    case .date: .date(Timestamp(Double(bitPattern: bits)))
    case .kept: values[Int(bits)]
    case .null, nil: .null
    }
  }
}

extension UndoEntries: RandomAccessCollection {
  /// The place of the first step.
  var startIndex: Int { 0 }
  /// The place behind the last step.
  var endIndex: Int { records.count }

  /// The step at a place.
  subscript(place: Int) -> UndoGroup.Entry {
    let record = records[place]
    guard record.table != Self.noTable else { return others[Int(record.old)] }
    return UndoGroup.Entry(
      table: table(record.table),
      step: .column(
        record.slot, column: Int(record.column), old: value(record.forms & 15, record.old),
        new: value(record.forms >> 4, record.new)))
  }
}
