internal import Modeling

/// Encodes the sort values of a row, so that the bytes compare as SQLite's ORDER BY does.
///
///     let encoder = SortKeyEncoder([.init(isAscending: false), .init(isAscending: true, kind: .text { Array($0.utf8) })])
///     encoder.encode([.double(6.5), .string("Cobb")]) < encoder.encode([.double(2), .string("Anza")])     // true
///
/// Nil comes first, then numbers and dates by value across types, then text, then bytes; the reverse if a component
/// descends. NaN counts as nil.
struct SortKeyEncoder {
  /// How one component of the order compares.
  enum Kind {
    /// Numbers exactly, text by its UTF-8 bytes.
    case plain
    /// Numbers by their decimal digits, doubles by their shortest digits: for columns of decimals.
    case decimal
    /// Like `plain`, but text by the bytes that the function returns.
    case text((String) -> [UInt8])
  }

  /// One component of the order.
  struct Component {
    /// Whether the smallest value comes first.
    var isAscending: Bool
    /// How the component's values compare.
    var kind: Kind = .plain
  }

  /// The first byte of a value that is not a number. Numbers have the bytes of a double and lie between nil and text,
  /// where the bytes of NaN would be.
  private enum Lead {
    static let null: [UInt8] = [0, 0]
    static let text: [UInt8] = [0xFF, 0xF8]
    static let data: [UInt8] = [0xFF, 0xF9]
    static let list: [UInt8] = [0xFF, 0xFA]
  }

  /// The components, the most important first.
  let components: [Component]

  /// Creates an encoder for these components.
  init(_ components: [Component]) { self.components = components }

  /// The key of a row with these values, one for each component.
  func encode(_ values: [Value]) -> SortKey {
    if components.count == 1, values.count == 1, let prefix = lonePrefix(values[0]) { return SortKey(prefix: prefix) }
    var bytes: [UInt8] = []
    for (component, value) in zip(components, values) { Self.append(value, component, to: &bytes) }
    return SortKey(bytes)
  }

  /// The prefix of a single number without a tail: the usual case, which needs no byte array.
  private func lonePrefix(_ value: Value) -> UInt64? {
    if case .decimal = components[0].kind { return nil }
    let number: Double
    switch value {
    case .double(let value): number = value
    case .date(let date): number = date.seconds
    case .int(let value) where value.magnitude <= 1 << 53: number = Double(value)
    default: return nil
    }
    if number.isNaN { return nil }
    let bits = orderedBits(number)
    return components[0].isAscending ? bits : ~bits
  }

  /// Appends a value's bytes; no other value's bytes begin with them.
  private static func append(_ value: Value, _ component: Component, to bytes: inout [UInt8]) {
    let start = bytes.count
    switch value {
    case .null: bytes += Lead.null
    case .bool, .int, .double, .decimal, .date, .object:
      if appendNumber(value, component, to: &bytes) { return }
    case .string(let text), .url(let text): append(text, component.kind, to: &bytes)
    case .uuid(let uuid): append(uuid.canonicalText, component.kind, to: &bytes)
    case .json(let json): append(json.text, component.kind, to: &bytes)
    case .data(let data):
      bytes += Lead.data
      appendTerminated(data, to: &bytes)
    case .list: bytes += Lead.list
    }
    if !component.isAscending { invert(&bytes, from: start) }
  }

  /// Appends a number; returns whether the bytes already have the component's direction.
  private static func appendNumber(_ value: Value, _ component: Component, to bytes: inout [UInt8]) -> Bool {
    if case .decimal = component.kind {
      if let digits = DecimalDigits(value) { digits.append(to: &bytes) } else { bytes += Lead.null }
      return false
    }
    guard let number = BinaryNumber(value, roundedUp: !component.isAscending) else {
      bytes += Lead.null
      return false
    }
    number.append(isAscending: component.isAscending, to: &bytes)
    return true
  }

  private static func append(_ text: String, _ kind: Kind, to bytes: inout [UInt8]) {
    bytes += Lead.text
    if case .text(let collate) = kind {
      appendTerminated(collate(text), to: &bytes)
    } else {
      appendTerminated(text.utf8, to: &bytes)
    }
  }

  /// Appends bytes and a terminating zero; zeros and ones within become two bytes.
  private static func appendTerminated(_ content: some Collection<UInt8>, to bytes: inout [UInt8]) {
    let isCopied = content.withContiguousStorageIfAvailable { content in
      if content.contains(where: { $0 <= 1 }) { return false }
      bytes.append(contentsOf: content)
      return true
    }
    if isCopied != true {
      for byte in content {
        if byte <= 1 {
          bytes.append(1)
          bytes.append(byte + 1)
        } else {
          bytes.append(byte)
        }
      }
    }
    bytes.append(0)
  }

  private static func invert(_ bytes: inout [UInt8], from start: Int) {
    for index in start..<bytes.count { bytes[index] = ~bytes[index] }
  }
}
