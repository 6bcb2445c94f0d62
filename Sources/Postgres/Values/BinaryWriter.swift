internal import StoreErrors

/// Bytes in the form of the protocol: numbers begin with their highest byte.
struct BinaryWriter {
  var bytes: [UInt8] = []

  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ number: Double) { append(number.bitPattern) }

  mutating func append(_ raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }

  /// Text, which cannot hold NUL on the server.
  mutating func append(text: String) throws(StoreError) {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    if bytes[start...].contains(0) { throw StoreError(.nulInText) }
  }

  /// A value behind its length; the length of NULL is -1.
  mutating func append(counted argument: PostgresArgument) throws(StoreError) {
    if argument == .null { return append(-1 as Int32) }
    let start = bytes.count
    append(0 as Int32)
    try append(argument)
    try setCount(at: start)
  }

  /// Puts the number of the bytes that were added since in front of them.
  mutating func setCount(at start: Int) throws(StoreError) {
    let count = bytes.count - start - 4
    guard let short = Int32(exactly: count) else { throw StoreError(.valueTooLarge(bytes: count)) }
    withUnsafeBytes(of: short.bigEndian) { for (offset, byte) in $0.enumerated() { bytes[start + offset] = byte } }
  }

  /// The binary form of an argument; nothing for NULL.
  mutating func append(_ argument: PostgresArgument) throws(StoreError) {
    switch argument {
    case .null: break
    case .bool(let flag): append(flag ? 1 : 0 as UInt8)
    case .int(let number), .timestamp(let number), .time(let number): append(number)
    case .double(let number): append(number)
    case .numeric(let text): try append(numeric: text)
    case .text(let text), .untyped(let text), .json(let text): try append(text: text)
    case .bytes(let raw), .uuid(let raw), .binary(let raw, _): append(raw)
    case .date(let days): append(days)
    case .jsonb(let text):
      // The version of the form.
      append(1 as UInt8)
      try append(text: text)
    case .ints(let numbers):
      appendArrayHead(numbers.count, of: PostgresType.int8, hasNulls: false)
      bytes.reserveCapacity(bytes.count + numbers.count * 12)
      for number in numbers {
        append(8 as Int32)
        append(number)
      }
    case .doubles(let numbers):
      appendArrayHead(numbers.count, of: PostgresType.float8, hasNulls: false)
      bytes.reserveCapacity(bytes.count + numbers.count * 12)
      for number in numbers {
        append(8 as Int32)
        append(number)
      }
    case .texts(let texts):
      appendArrayHead(texts.count, of: PostgresType.text, hasNulls: texts.contains(nil))
      for text in texts { try append(counted: text.map { .text($0) } ?? .null) }
    case .array(let elements, _, let type):
      appendArrayHead(elements.count, of: type, hasNulls: elements.contains(.null))
      for element in elements { try append(counted: element) }
    }
  }

  /// What stands before the elements of an array of one dimension.
  private mutating func appendArrayHead(_ count: Int, of type: UInt32, hasNulls: Bool) {
    append(count == 0 ? 0 : 1 as Int32)
    append(hasNulls ? 1 : 0 as Int32)
    append(type)
    guard count > 0 else { return }
    append(Int32(clamping: count))
    append(1 as Int32)
  }
}
