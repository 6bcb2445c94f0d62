internal import struct Foundation.Data
internal import struct Foundation.Decimal
internal import struct Foundation.UUID

extension JSON {
  /// The only key of the object that holds bytes in a JSON file: `{"$base64":"…"}`.
  public static let dataKey = "$base64"

  /// The value as JSON: dates in ISO 8601, decimals and UUIDs as text, bytes in base64; nil for an object.
  public init?(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .int(let number): self = .int(number)
    case .double(let number): self = .double(number)
    case .json(let json): self = json
    case .decimal, .string, .url, .date, .uuid: self = .string(value.displayText)
    case .data(let bytes): self = .string(Data(bytes).base64EncodedString())
    case .object: return nil
    case .list(let values):
      let elements = values.compactMap { JSON($0) }
      guard elements.count == values.count else { return nil }
      self = .array(elements)
    }
  }

  /// Whether JSON can express all numbers in it.
  public var isFinite: Bool {
    switch self {
    case .double(let number): number.isFinite
    case .array(let elements): elements.allSatisfy(\.isFinite)
    case .object(let members): members.values.allSatisfy(\.isFinite)
    default: true
    }
  }

  /// The value without a declared type: numbers, texts and Booleans as they are, the rest as JSON.
  var plainValue: Value {
    switch self {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .int(number)
    case .double(let number): .double(number)
    case .string(let text): .string(text)
    case .array, .object: .json(self)
    }
  }
}

extension Attribute {
  /// Returns the value of `json` for this attribute: the inverse of `JSON.init(_:)`.
  ///
  /// Text is read if JSON has no better form: ISO 8601 for a Date, digits for a Decimal, base64 for Data, alone or in
  /// an object under ``JSON/dataKey``.
  public func value(from json: JSON) throws(ValueError) -> Value {
    guard json != .null else { return .null }
    switch (type, json) {
    case (.transformable, _), (.composite, _): return try coerce(.json(json))
    case (.date, .string(let text)):
      guard let instant = Timestamp(iso8601: text) else { throw invalidText(.string(text)) }
      return .date(instant)
    case (.date, .int(let seconds)): return .date(Timestamp(Double(seconds)))
    case (.date, .double(let seconds)): return try coerce(.date(Timestamp(seconds)))
    case (.decimal, .string(let text)):
      guard let number = Decimal(exactly: text) else { throw invalidText(.string(text)) }
      return .decimal(number)
    case (.data, .string(let text)):
      guard let data = Data(base64Encoded: text) else { throw invalidText(.string(text)) }
      return .data(Array(data))
    case (.data, .object(let members)), (.any, .object(let members)):
      guard members.count == 1, case .string(let text)? = members[JSON.dataKey] else {
        return try coerce(json.plainValue)
      }
      guard let data = Data(base64Encoded: text) else { throw invalidText(.string(text)) }
      return .data(Array(data))
    default: return try coerce(json.plainValue)
    }
  }
}
