internal import Glibc

/// A row's sort values as bytes that compare unsigned: the first eight as a number, the others only if there are any.
///
///     SortKey([0x61]) < SortKey([0x61, 0x62])     // true
///
/// Trailing zero bytes do not affect the order and are dropped, so that a date or a number needs only the prefix. No
/// encoding of a `SortKeyEncoder` is a prefix of another one, so that dropping the zeros keeps the order.
struct SortKey: Hashable, Comparable {
  /// The tail's bytes beyond this length are dropped; rows that differ only there are ordered by their keys.
  static let longestTail = 1 << 20

  /// The first eight bytes, in big-endian order.
  let prefix: UInt64
  /// The bytes from the ninth on, without trailing zeros.
  let tail: [UInt8]

  /// Creates a key without a tail.
  init(prefix: UInt64) {
    self.prefix = prefix
    tail = []
  }

  /// Creates the key of encoded bytes.
  init(_ bytes: [UInt8]) {
    var prefix: UInt64 = 0
    for index in 0..<8 { prefix = prefix << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
    var end = min(bytes.count, 8 + Self.longestTail)
    while end > 8, bytes[end - 1] == 0 { end -= 1 }
    self.prefix = prefix
    tail = end > 8 ? Array(bytes[8..<end]) : []
  }

  static func < (left: SortKey, right: SortKey) -> Bool {
    if left.prefix != right.prefix { return left.prefix < right.prefix }
    if left.tail.isEmpty || right.tail.isEmpty { return left.tail.isEmpty && !right.tail.isEmpty }
    return left.tail.withUnsafeBytes { left in
      right.tail.withUnsafeBytes { compareTails(left, $0) < 0 }
    }
  }
}

/// Compares bytes unsigned; returns a negative number, zero or a positive number. A prefix comes before the longer
/// buffer.
func compareTails(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  let shared = min(left.count, right.count)
  if shared > 0, let one = left.baseAddress, let other = right.baseAddress {
    let order = memcmp(one, other, shared)
    if order != 0 { return Int(order) }
  }
  return left.count - right.count
}

/// A number that orders a row's key among rows with equal sort keys.
///
/// Keys ascend. The temporary keys of unsaved objects come after all others, in the order of creation, which is
/// descending.
func tieOrder(_ key: Int64) -> UInt64 {
  let lastTemporary = Int64.min / 2
  let order = UInt64(bitPattern: key &- (lastTemporary + 1))
  let saved = UInt64(bitPattern: Int64.max &- (lastTemporary + 1))
  return key > lastTemporary ? order : saved + 1 + (UInt64.max - order)
}
