/// The offset of the first byte that is not well-formed UTF-8; nil if all are.
///
/// Checks eight bytes of ASCII at a time, since most text is ASCII.
func firstInvalidUTF8(_ bytes: UnsafeRawBufferPointer) -> Int? {
  var position = 0
  while position < bytes.count {
    if position + 8 <= bytes.count,
      bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      position += 8
    } else if bytes[position] < 0x80 {
      position += 1
    } else {
      guard let length = wellFormedLength(bytes, at: position) else { return position }
      position += length
    }
  }
  return nil
}

/// Whether all bytes are well-formed UTF-8.
public func isValidUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool { firstInvalidUTF8(bytes) == nil }

/// The length of the multi-byte sequence at `position`, by table 3-7 of the Unicode standard.
private func wellFormedLength(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int? {
  let lead = bytes[position]
  let length: Int
  var second: ClosedRange<UInt8> = 0x80...0xBF
  switch lead {
  case 0xC2...0xDF: length = 2
  case 0xE0: (length, second) = (3, 0xA0...0xBF)
  case 0xED: (length, second) = (3, 0x80...0x9F)
  case 0xE1...0xEF: length = 3
  case 0xF0: (length, second) = (4, 0x90...0xBF)
  case 0xF4: (length, second) = (4, 0x80...0x8F)
  case 0xF1...0xF3: length = 4
  default: return nil
  }
  guard position + length <= bytes.count, second.contains(bytes[position + 1]) else { return nil }
  for offset in 2..<max(length, 2) where bytes[position + offset] & 0xC0 != 0x80 { return nil }
  return length
}
