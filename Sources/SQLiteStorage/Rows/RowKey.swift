import Modeling

/// The values of a key of several columns as one sequence of bytes, which compares as SQLite compares the columns one after the
/// other.
///
///     RowKey.encode([.string("de"), .int(7)])!.lexicographicallyPrecedes(RowKey.encode([.string("fr"), .int(1)])!)     // true
///
/// Each value has a byte for its storage class. A number follows as a double, then as an integer, which tells large integers apart;
/// texts and blobs follow with each zero byte as 0 255, and end with 0 0.
enum RowKey {
  private enum Lead: UInt8 {
    case integer = 1
    case real = 2
    case text = 3
    case blob = 4
  }

  /// A number's lead is the same for integers and reals, which SQLite orders among each other; the class comes behind it.
  private static let number: UInt8 = 1

  /// The bytes; nil where a column is null, as such a key leads nowhere.
  static func encode(_ values: [Value]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for value in values {
      switch value {
      case .int(let number): append(Double(number), number, .integer, to: &bytes)
      case .double(let number): append(number, Int64(exactly: number) ?? (number < 0 ? .min : .max), .real, to: &bytes)
      case .string(let text): append(text.utf8, .text, to: &bytes)
      case .data(let data): append(data, .blob, to: &bytes)
      default: return nil
      }
    }
    return bytes
  }

  /// The values; nil for bytes that `encode` does not make.
  static func decode(_ bytes: [UInt8]) -> [Value]? {
    var values: [Value] = []
    var rest = bytes[...]
    while let lead = rest.popFirst() {
      let value = lead == number ? takeNumber(&rest) : Lead(rawValue: lead).flatMap { takeBytes($0, &rest) }
      guard let value else { return nil }
      values.append(value)
    }
    return values
  }

  // MARK: Numbers

  private static func append(_ double: Double, _ integer: Int64, _ lead: Lead, to bytes: inout [UInt8]) {
    bytes.append(number)
    // The two zeros are equal.
    let pattern = (double == 0 ? 0 : double).bitPattern
    let isNegative = pattern >> 63 == 1
    append(isNegative ? ~pattern : pattern | 1 << 63, to: &bytes)
    append(UInt64(bitPattern: integer) ^ 1 << 63, to: &bytes)
    bytes.append(lead.rawValue)
  }

  private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: word.bigEndian) { bytes += $0 }
  }

  private static func takeNumber(_ rest: inout ArraySlice<UInt8>) -> Value? {
    guard rest.count >= 17 else { return nil }
    let ordered = takeWord(&rest)
    let integer = Int64(bitPattern: takeWord(&rest) ^ 1 << 63)
    switch rest.popFirst() {
    case Lead.integer.rawValue: return .int(integer)
    case Lead.real.rawValue:
      return .double(Double(bitPattern: ordered >> 63 == 1 ? ordered & ~(1 << 63) : ~ordered))
    default: return nil
    }
  }

  private static func takeWord(_ rest: inout ArraySlice<UInt8>) -> UInt64 {
    defer { rest = rest.dropFirst(8) }
    return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  // MARK: Texts and blobs

  private static func append(_ content: some Sequence<UInt8>, _ lead: Lead, to bytes: inout [UInt8]) {
    bytes.append(lead.rawValue)
    for byte in content {
      bytes.append(byte)
      if byte == 0 { bytes.append(255) }
    }
    bytes += [0, 0]
  }

  private static func takeBytes(_ lead: Lead, _ rest: inout ArraySlice<UInt8>) -> Value? {
    var content: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == 0 else {
        content.append(byte)
        continue
      }
      switch rest.popFirst() {
      case 255: content.append(0)
      case 0 where lead == .text: return .string(String(decoding: content, as: UTF8.self))
      case 0 where lead == .blob: return .data(content)
      default: return nil
      }
    }
    return nil
  }
}
