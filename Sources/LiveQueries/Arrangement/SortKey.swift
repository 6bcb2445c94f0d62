internal import Glibc

/// A row's place in an order as bytes that compare unsigned: the first eight as a number, the rest only where there is one.
///
///     SortKey([0x61]) < SortKey([0x61, 0x62])     // true
///
/// Bytes of zero at the end decide nothing and are dropped, so a date or a number takes the prefix alone. The encodings
/// of one `SortKeyEncoder` are never the beginning of one another; for them the order of the bytes is kept.
struct SortKey: Hashable, Comparable {
  /// The tail's bytes beyond this many are cut off; rows that differ only there stand in the order of their keys.
  static let longestTail = 1 << 20

  /// The first eight bytes, the first of them the most significant.
  let prefix: UInt64
  /// The bytes from the ninth on, without zeros at the end.
  let tail: [UInt8]

  /// A key that is its prefix.
  init(prefix: UInt64) {
    self.prefix = prefix
    tail = []
  }

  /// The key of encoded bytes.
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

/// Compares bytes unsigned: negative, zero or positive; of two that begin alike the shorter comes first.
func compareTails(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  let shared = min(left.count, right.count)
  if shared > 0, let one = left.baseAddress, let other = right.baseAddress {
    let order = memcmp(one, other, shared)
    if order != 0 { return Int(order) }
  }
  return left.count - right.count
}

/// Where the row of a key stands among rows with equal sort keys, as a number to be compared.
///
/// Keys ascend; those that unsaved objects have for the time being come after all others, in the order they were made,
/// which is descending.
func tieOrder(_ key: Int64) -> UInt64 {
  let lastTemporary = Int64.min / 2
  let order = UInt64(bitPattern: key &- (lastTemporary + 1))
  let saved = UInt64(bitPattern: Int64.max &- (lastTemporary + 1))
  return key > lastTemporary ? order : saved + 1 + (UInt64.max - order)
}
