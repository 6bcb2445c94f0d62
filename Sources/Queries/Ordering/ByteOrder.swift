internal import Foundation

/// Compares two texts by their UTF-8 bytes, as SQLite's BINARY does: negative, zero or positive.
///
/// Swift's own `<` treats canonically equivalent texts as equal, which SQLite does not.
package func compareBytes(_ left: String, _ right: String) -> Int {
  var (left, right) = (left, right)
  return left.withUTF8 { left in right.withUTF8 { compareBytes(left, $0) } }
}

/// Compares bytes as unsigned numbers; a prefix comes before the longer buffer.
package func compareBytes(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
  let shared = min(left.count, right.count)
  if shared > 0, let one = left.baseAddress, let other = right.baseAddress {
    let order = memcmp(one, other, shared)
    if order != 0 { return Int(order) }
  }
  return left.count - right.count
}
