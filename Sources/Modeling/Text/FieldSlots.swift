/// The fields of one row: their positions in the row, and the bytes of escaped fields.
///
/// A class with storage of its own and no arrays, because it handles seven million fields a second.
final class FieldSlots {
  /// The bytes of one field, without quotes, as offsets from the beginning of the row.
  struct Slot {
    var start = 0
    var end = 0
    var isQuoted = false
    /// Whether it contains doubled quotes; then `unescapedStart` and `unescapedEnd` locate the unescaped bytes.
    var isEscaped = false
    var unescapedStart = 0
    var unescapedEnd = 0
  }

  private(set) var count = 0
  private(set) var hasQuoted = false
  private var slots: UnsafeMutablePointer<Slot>
  private var capacity = 32
  private var scratch: UnsafeMutableRawBufferPointer
  private var scratchCount = 0

  init() {
    slots = .allocate(capacity: capacity)
    scratch = .allocate(byteCount: 256, alignment: 1)
  }

  deinit {
    slots.deallocate()
    scratch.deallocate()
  }

  subscript(index: Int) -> Slot {
    precondition(index >= 0 && index < count, "the row has no such field")
    return slots[index]
  }

  func removeAll() {
    count = 0
    hasQuoted = false
    scratchCount = 0
  }

  func append(_ start: Int, _ end: Int) {
    if count == capacity { grow() }
    slots[count] = Slot(start: start, end: end)
    count += 1
  }

  func appendQuoted(_ start: Int, _ end: Int, isEscaped: Bool) {
    append(start, end)
    slots[count - 1].isQuoted = true
    slots[count - 1].isEscaped = isEscaped
    hasQuoted = true
  }

  /// Stores `raw`, with doubled quotes made single, as the bytes of the field at `index`.
  func unescape(_ raw: UnsafeRawBufferPointer, at index: Int, quote: UInt8) {
    reserveScratch(raw.count)
    slots[index].unescapedStart = scratchCount
    var position = 0
    while position < raw.count {
      scratch[scratchCount] = raw[position]
      scratchCount += 1
      position += raw[position] == quote ? 2 : 1
    }
    slots[index].unescapedEnd = scratchCount
  }

  /// The unescaped bytes of a field, valid until the next row.
  func unescaped(_ slot: Slot) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: scratch[slot.unescapedStart..<slot.unescapedEnd])
  }

  private func reserveScratch(_ more: Int) {
    guard scratchCount + more > scratch.count else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: (scratchCount + more) * 2, alignment: 1)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: scratch[..<scratchCount]))
    scratch.deallocate()
    scratch = larger
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Slot>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: slots, count: count)
    slots.deallocate()
    slots = larger
    capacity *= 2
  }
}
