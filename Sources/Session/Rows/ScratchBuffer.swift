internal import Modeling

/// Memory for the texts of one row, reused for the next.
struct ScratchBuffer {
  private var pieces: [UnsafeMutableBufferPointer<UInt8>] = []
  private var used = 0

  /// Forgets the texts, and keeps their memory.
  mutating func reset() { used = 0 }

  /// Copies `text`; the bytes are valid until `reset()`.
  mutating func keep(_ text: String) -> UnsafeBufferPointer<UInt8> {
    var text = text
    return text.withUTF8 { bytes in
      let piece = piece(bytes.count)
      _ = piece.update(fromContentsOf: bytes)
      return UnsafeBufferPointer(rebasing: piece[..<bytes.count])
    }
  }

  /// Keeps the ISO 8601 text of an instant; the bytes are valid until `reset()`.
  mutating func keep(_ date: Timestamp) -> UnsafeBufferPointer<UInt8> {
    let piece = piece(Timestamp.iso8601Capacity)
    guard let count = date.writeISO8601(to: piece) else { return keep(date.iso8601) }
    return UnsafeBufferPointer(rebasing: piece[..<count])
  }

  /// Copies bytes; the copy is valid until `reset()`.
  mutating func keep(_ bytes: [UInt8]) -> UnsafeBufferPointer<UInt8> {
    let piece = piece(bytes.count)
    _ = piece.update(fromContentsOf: bytes)
    return UnsafeBufferPointer(rebasing: piece[..<bytes.count])
  }

  private mutating func piece(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    if used == pieces.count { pieces.append(Self.allocate(count)) }
    if pieces[used].count < count {
      pieces[used].deallocate()
      pieces[used] = Self.allocate(count)
    }
    used += 1
    return pieces[used - 1]
  }

  private static func allocate(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(count, 64))
    piece.initialize(repeating: 0)
    return piece
  }

  func deallocate() { for piece in pieces { piece.deallocate() } }
}
