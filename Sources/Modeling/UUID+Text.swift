public import struct Foundation.UUID

extension UUID {
  /// The canonical text, in upper case as Foundation writes it.
  public var canonicalText: String { uuidString }

  /// Reads a UUID in any case, with or without hyphens, in braces or after `urn:uuid:`.
  public init?(lenient text: String) {
    var text = text
    let parsed = text.withUTF8 { parseUUID(UnsafeRawBufferPointer($0)) }
    guard let parsed else { return nil }
    self = parsed
  }
}

/// Reads a UUID from bytes; see `UUID.init(lenient:)`.
public func parseUUID(_ bytes: UnsafeRawBufferPointer) -> UUID? {
  var body = bytes[...]
  if body.first == UInt8(ascii: "{"), body.last == UInt8(ascii: "}") { body = body.dropFirst().dropLast() }
  if body.count == 45, body.prefix(9).map({ $0 | 0x20 }) == Array("urn:uuid:".utf8) { body = body.dropFirst(9) }
  guard body.count == 36 || body.count == 32 else { return nil }
  var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).uuid
  let isComplete = withUnsafeMutableBytes(of: &uuid) { readHex(body, hyphens: body.count == 36, into: $0) }
  return isComplete ? UUID(uuid: uuid) : nil
}

/// Reads 32 hexadecimal digits, with hyphens after 8, 12, 16 and 20 of them or without.
private func readHex(
  _ text: Slice<UnsafeRawBufferPointer>, hyphens: Bool, into output: UnsafeMutableRawBufferPointer
) -> Bool {
  var digits = 0
  for (offset, byte) in text.enumerated() {
    if hyphens, offset == 8 || offset == 13 || offset == 18 || offset == 23 {
      guard byte == UInt8(ascii: "-") else { return false }
      continue
    }
    guard let digit = hexDigit(byte), digits < 32 else { return false }
    output[digits / 2] = digits.isMultiple(of: 2) ? digit << 4 : output[digits / 2] | digit
    digits += 1
  }
  return digits == 32
}
