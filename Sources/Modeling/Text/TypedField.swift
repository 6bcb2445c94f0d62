/// A field of a text file, read as the type of its attribute without copying text.
public enum TypedField {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case date(Timestamp)
  /// UTF-8 text, valid as long as its source bytes.
  case text(UnsafeRawBufferPointer)
  /// A value of a less frequent type.
  case value(Value)

  /// Whether there is no value.
  package var isNull: Bool {
    switch self {
    case .null: true
    case .value(let value): value.isNull
    case .bool, .int, .double, .date, .text: false
    }
  }

  /// The field as a `Value`.
  public var value: Value {
    switch self {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .int(number)
    case .double(let number): .double(number)
    case .date(let instant): .date(instant)
    case .text(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    case .value(let value): value
    }
  }
}
