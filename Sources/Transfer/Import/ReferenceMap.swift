import Modeling
import Queries
import Stores

/// A map from the values of an attribute to the keys of its objects, in one block of memory.
///
/// Texts are looked up by their bytes, so that no String is allocated for a row.
struct ReferenceMap {
  /// The one-based index of an entry for each slot of the hash table; 0 for none.
  private var slots: [Int32]
  private var entries: [(hash: UInt64, start: Int, count: Int, key: Int64)] = []
  private var bytes: [UInt8] = []
  private var integers: [Int64: Int64] = [:]

  init() { slots = [Int32](repeating: 0, count: 1024) }

  /// Reads the values of an attribute, or the keys alone, of all objects of an entity.
  init(_ store: any ObjectStore, _ entity: Entity, _ attribute: Int?) throws {
    self.init()
    let cursor = try store.cursor(FetchRequest(entity), keysOnly: attribute == nil)
    defer { cursor.close() }
    while try cursor.step() {
      guard let attribute else {
        integers[cursor.key] = cursor.key
        continue
      }
      guard case .column(let column) = store.layout(of: cursor.entity).properties[attribute] else { continue }
      switch cursor.value(column) {
      case .integer(let number): integers[number] = cursor.key
      case .text(let bytes): insert(bytes, cursor.key)
      case .null, .real, .blob: break
      }
    }
  }

  /// The key of the object with an integer value.
  subscript(integer: Int64) -> Int64? { integers[integer] }

  /// The key of the object with a text value.
  subscript(text: UnsafeRawBufferPointer) -> Int64? {
    let hash = Self.hash(text)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot]) - 1]
      if entry.hash == hash, entry.count == text.count, isSame(entry.start, text) { return entry.key }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  mutating func insert(_ integer: Int64, _ key: Int64) { integers[integer] = key }

  mutating func insert(_ text: UnsafeRawBufferPointer, _ key: Int64) {
    if entries.count * 2 >= slots.count { grow() }
    let hash = Self.hash(text)
    entries.append((hash, bytes.count, text.count, key))
    bytes.append(contentsOf: text)
    place(entries.count, hash)
  }

  private mutating func grow() {
    slots = [Int32](repeating: 0, count: slots.count * 4)
    for (index, entry) in entries.enumerated() { place(index + 1, entry.hash) }
  }

  private mutating func place(_ entry: Int, _ hash: UInt64) {
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = Int32(entry)
  }

  private func isSame(_ start: Int, _ text: UnsafeRawBufferPointer) -> Bool {
    for index in 0..<text.count where bytes[start + index] != text[index] { return false }
    return true
  }

  /// FNV-1a, folded so that the low bits, which select the slot, depend on all bits.
  private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash ^ hash >> 32
  }
}
