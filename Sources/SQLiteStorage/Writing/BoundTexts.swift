/// Copies of the texts of one row, which an INSERT binds without having SQLite allocate a copy of each.
///
/// Three things make it safe. The block is never moved, and lives as long as the store's statements. An INSERT binds all its
/// parameters before it runs, and does not read them after it. And while it runs no other row is inserted by the store: what
/// SQLite calls meanwhile only reads.
final class BoundTexts {
  /// Longer rows are left to SQLite.
  private static let capacity = 4096

  private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
  private var used = 0

  deinit { block.deallocate() }

  /// Begins another row.
  func begin() { used = 0 }

  /// Returns a copy of a text, valid until `begin`; nil if there is no room.
  func copy(_ text: String) -> UnsafeRawBufferPointer? {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.count <= Self.capacity - used else { return nil }
      let place = UnsafeMutableRawBufferPointer(rebasing: block[used..<used + bytes.count])
      place.copyMemory(from: UnsafeRawBufferPointer(bytes))
      used += bytes.count
      return UnsafeRawBufferPointer(place)
    }
  }
}
