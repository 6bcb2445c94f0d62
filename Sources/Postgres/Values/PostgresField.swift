/// A value that the server sent, with its type: bytes that are borrowed from the row.
///
/// Each property reads the binary form of its types and is nil for anything else, bytes that are no such value included.
/// `text` has something to say of every type.
public struct PostgresField {
  /// The bytes, as long as the row is there.
  public let bytes: UnsafeRawBufferPointer
  /// The number of the type; 0 where it is not known.
  public let typeOID: UInt32
  /// Whether the server was asked for text instead of the binary form.
  public let isText: Bool

  /// Creates a field of bytes.
  public init(bytes: UnsafeRawBufferPointer, typeOID: UInt32, isText: Bool = false) {
    (self.bytes, self.typeOID, self.isText) = (bytes, typeOID, isText)
  }
}

// MARK: Text

extension PostgresField {
  /// The value as text, as PostgreSQL writes it with ISO dates; bytes of types without a known form as `\x…`.
  public var text: String {
    if isText { return characters }
    return switch typeOID {
    case PostgresType.bool: bool.map { $0 ? "t" : "f" } ?? hexadecimal
    case PostgresType.int2, PostgresType.int4, PostgresType.int8: int.map { "\($0)" } ?? hexadecimal
    case _ where Self.isUnsigned(typeOID): int.map { "\($0)" } ?? hexadecimal
    case PostgresType.float4: Self.float4(bytes).map(Self.spelled) ?? hexadecimal
    case PostgresType.float8: Self.float(bytes).map(Self.spelled) ?? hexadecimal
    case PostgresType.numeric: numericText ?? hexadecimal
    case PostgresType.date: dateText ?? hexadecimal
    case PostgresType.time: timeText ?? hexadecimal
    case PostgresType.timetz: timetzText ?? hexadecimal
    case PostgresType.timestamp, PostgresType.timestamptz: timestampText ?? hexadecimal
    case PostgresType.interval: interval?.text ?? hexadecimal
    case PostgresType.uuid: uuidText ?? hexadecimal
    case PostgresType.jsonb: jsonText ?? hexadecimal
    case PostgresType.bytea: hexadecimal
    default: PostgresType.elements(of: typeOID) == nil ? charactersOrHexadecimal : array?.text ?? hexadecimal
    }
  }

  /// The bytes as UTF-8.
  var characters: String { String(decoding: bytes, as: UTF8.self) }

  /// Texts of types that are not known here are their characters, as those of enums are.
  private var charactersOrHexadecimal: String {
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return hexadecimal }
    return text
  }

  /// The bytes as PostgreSQL writes a `bytea`.
  var hexadecimal: String {
    var digits: [UInt8] = Array("\\x".utf8)
    digits.reserveCapacity(2 + 2 * bytes.count)
    let alphabet = Array("0123456789abcdef".utf8)
    for byte in bytes {
      digits.append(alphabet[Int(byte >> 4)])
      digits.append(alphabet[Int(byte & 15)])
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// JSON as text; nil for other types.
  public var jsonText: String? {
    switch typeOID {
    case PostgresType.json: return characters
    case PostgresType.jsonb where isText: return characters
    // The version of the form stands in front.
    case PostgresType.jsonb where bytes.first == 1: return String(decoding: bytes.dropFirst(), as: UTF8.self)
    default: return nil
    }
  }

  /// A UUID in lower case, as PostgreSQL writes it; nil for other types.
  public var uuidText: String? {
    guard typeOID == PostgresType.uuid else { return nil }
    if isText { return characters }
    guard bytes.count == 16 else { return nil }
    var digits = Array(hexadecimal.utf8.dropFirst(2))
    for place in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: place) }
    return String(decoding: digits, as: UTF8.self)
  }
}

extension UnsafeRawBufferPointer {
  /// A number whose highest byte stands first; nil where the bytes end before.
  @inlinable
  func bigEndian<Number: FixedWidthInteger>(at offset: Int) -> Number? {
    guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return nil }
    return Number(bigEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}
