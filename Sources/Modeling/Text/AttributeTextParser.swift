internal import struct Foundation.Data

/// Reads the fields of a text file as values of one attribute.
///
/// An empty field is nil, and so is `""` for a type other than text. Numbers are decimal, Booleans `true`, `false`,
/// `1`, `0`, `yes`, `no`, `t` and `f` in any case, dates ISO 8601, `24.12.2024`, `2024/12/24` or seconds since 1970,
/// data base64, transformables and composites JSON. Spaces around anything but text are ignored.
///
/// A class, because copying an attribute for every field would cost more than reading the field.
public final class AttributeTextParser {
  /// The attribute whose values are read.
  public let attribute: Attribute
  /// Unquoted texts that mean nil, such as `NA`.
  public var nullTexts: [String] = []
  /// The notation of numbers and dates.
  public var notation = TextNotation()
  private let type: AttributeType

  /// Makes a parser for the values of `attribute`.
  public init(_ attribute: Attribute) {
    self.attribute = attribute
    type = attribute.type
  }

  /// Reads one field.
  ///
  /// - Throws: the expected and the found text; the caller knows the line.
  public func parse(_ bytes: UnsafeRawBufferPointer, wasQuoted: Bool) throws(ValueError) -> TypedField {
    if bytes.isEmpty, !wasQuoted || !keepsEmptyText { return .null }
    if !wasQuoted, isNull(bytes) { return .null }
    switch type {
    case .string: return .text(try utf8(bytes))
    case .double, .float: return .double(try double(bytes))
    case .integer64, .integer32, .integer16: return .int(try integer(bytes))
    case .date: return .date(try date(bytes))
    case .boolean: return .bool(try boolean(bytes))
    case .any: return try anything(bytes, wasQuoted: wasQuoted)
    default: return .value(try rare(bytes))
    }
  }

  /// Whether an unquoted field is one of the texts that mean nil.
  public func isNull(_ bytes: UnsafeRawBufferPointer) -> Bool {
    !nullTexts.isEmpty && nullTexts.contains { $0.utf8.elementsEqual(bytes) }
  }

  private var keepsEmptyText: Bool { type == .string || type == .data || type == .any }

  private func utf8(_ bytes: UnsafeRawBufferPointer) throws(ValueError) -> UnsafeRawBufferPointer {
    guard isValidUTF8(bytes) else { throw attribute.error(.invalidUTF8(value: Value.data(Array(bytes)).shortText)) }
    return bytes
  }

  private func integer(_ bytes: UnsafeRawBufferPointer) throws(ValueError) -> Int64 {
    if let number = parseInt64(bytes) {
      guard type == .integer64 || type.integerRange?.contains(number) == true else {
        throw attribute.outOfRange(.int(number))
      }
      return number
    }
    // Handles the other forms: spaces, `5.0` (which other programs write for integers in columns with nil), 1e3, and
    // numbers that are too large.
    let trimmed = Self.trimmed(bytes)
    if trimmed.count < bytes.count { return try integer(trimmed) }
    guard let number = parseDecimal(bytes) ?? commaNumber(bytes, parseDecimal) else { throw invalid(bytes) }
    guard case .int(let whole) = try attribute.coerce(.decimal(number)) else { throw invalid(bytes) }
    return whole
  }

  private func double(_ bytes: UnsafeRawBufferPointer) throws(ValueError) -> Double {
    let trimmed = { Self.trimmed(bytes) }
    guard let number = parseDouble(bytes) ?? parseDouble(trimmed()) ?? commaNumber(trimmed(), parseDouble) else {
      throw invalid(bytes)
    }
    if type == .float, number.isFinite, !Float(number).isFinite { throw attribute.outOfRange(.double(number)) }
    return number
  }

  private func date(_ bytes: UnsafeRawBufferPointer) throws(ValueError) -> Timestamp {
    if let instant = parseTimestamp(bytes) { return instant }
    let trimmed = Self.trimmed(bytes)
    if let instant = parseTimestamp(trimmed) { return instant }
    if let date = CalendarDate(trimmed), let instant = date.timestamp(notation.slashes) { return instant }
    guard let seconds = parseDouble(trimmed), seconds.isFinite else { throw invalid(bytes) }
    return Timestamp(seconds)
  }

  private func boolean(_ bytes: UnsafeRawBufferPointer) throws(ValueError) -> Bool {
    switch String(decoding: Self.trimmed(bytes), as: UTF8.self).lowercased() {
    case "true", "1", "yes", "t": return true
    case "false", "0", "no", "f": return false
    default: throw invalid(bytes)
    }
  }

  /// A value of any type: numbers in the form in which SQLite prints them, and text.
  private func anything(_ bytes: UnsafeRawBufferPointer, wasQuoted: Bool) throws(ValueError) -> TypedField {
    let text = try utf8(bytes)
    guard !wasQuoted else { return .text(text) }
    if let number = parseInt64(bytes), String(number).utf8.elementsEqual(bytes) { return .int(number) }
    if let number = parseDouble(bytes), "\(number)".utf8.elementsEqual(bytes) { return .double(number) }
    return .text(text)
  }

  private func rare(_ bytes: UnsafeRawBufferPointer) throws(ValueError) -> Value {
    let trimmed = Self.trimmed(bytes)
    let text = String(decoding: try utf8(trimmed), as: UTF8.self)
    switch type {
    case .decimal:
      guard let number = parseDecimal(trimmed) ?? commaNumber(trimmed, parseDecimal) else { throw invalid(bytes) }
      return .decimal(number)
    case .uuid:
      guard let uuid = parseUUID(trimmed) else { throw invalid(bytes) }
      return .uuid(uuid)
    case .data:
      guard let data = Data(base64Encoded: text) else { throw invalid(bytes) }
      return .data(Array(data))
    case .transformable, .composite:
      let json: JSON
      do { json = try JSON.parse(trimmed) } catch { throw invalid(bytes) }
      return try attribute.coerce(.json(json))
    default: return try attribute.coerce(.string(text))
    }
  }

  /// A number with a decimal comma, if the notation has one.
  private func commaNumber<Number>(
    _ bytes: UnsafeRawBufferPointer, _ parse: (UnsafeRawBufferPointer) -> Number?
  ) -> Number? {
    guard notation.hasDecimalComma, let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    var text = Array(bytes)
    guard !text.contains(UInt8(ascii: ".")) else { return nil }
    text[comma] = UInt8(ascii: ".")
    return text.withUnsafeBytes(parse)
  }

  private func invalid(_ bytes: UnsafeRawBufferPointer) -> ValueError {
    attribute.invalidText(.string(String(decoding: bytes, as: UTF8.self)))
  }

  static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var (start, end) = (0, bytes.count)
    while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
    while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }
}
