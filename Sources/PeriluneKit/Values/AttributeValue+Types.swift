public import Foundation
public import Modeling

extension AttributeValue where Self: FixedWidthInteger {
  /// Zero.
  public static var placeholder: Self { 0 }
  /// Reads an integer that fits.
  public init?(attributeValue: AnyValue) {
    guard case .int(let number) = attributeValue else { return nil }
    self.init(exactly: number)
  }
  /// The integer.
  public var attributeValue: AnyValue { .int(Int64(clamping: self)) }
}

extension Int16: AttributeValue {
  /// Integer16.
  public static var attributeType: AttributeType { .integer16 }
}

extension Int32: AttributeValue {
  /// Integer32.
  public static var attributeType: AttributeType { .integer32 }
  /// Also types with a smaller range.
  public static func fits(_ type: AttributeType) -> Bool { type == .integer16 || type == .integer32 }
}

extension Int64: AttributeValue {
  /// Integer64.
  public static var attributeType: AttributeType { .integer64 }
  /// All integer types; an assignment rejects a value that is too large for the attribute.
  public static func fits(_ type: AttributeType) -> Bool { type.integerRange != nil }
}

extension Int: AttributeValue {
  /// Integer64.
  public static var attributeType: AttributeType { .integer64 }
  /// All integer types; an assignment rejects a value that is too large for the attribute.
  public static func fits(_ type: AttributeType) -> Bool { type.integerRange != nil }
}

extension Double: AttributeValue {
  /// Double.
  public static var attributeType: AttributeType { .double }
  /// Zero.
  public static var placeholder: Double { 0 }
  /// Also Float.
  public static func fits(_ type: AttributeType) -> Bool { type == .double || type == .float }
  /// Reads a number.
  public init?(attributeValue: AnyValue) {
    switch attributeValue {
    case .double(let number): self = number
    case .int(let number): self = Double(number)
    default: return nil
    }
  }
  /// The number.
  public var attributeValue: AnyValue { .double(self) }
}

extension Float: AttributeValue {
  /// Float.
  public static var attributeType: AttributeType { .float }
  /// Zero.
  public static var placeholder: Float { 0 }
  /// Reads a number.
  public init?(attributeValue: AnyValue) {
    guard let number = Double(attributeValue: attributeValue) else { return nil }
    self.init(number)
  }
  /// The number by its printed digits: 0.1 stays 0.1.
  public var attributeValue: AnyValue { .double(Double("\(self)") ?? Double(self)) }
}

extension Decimal: AttributeValue {
  /// Decimal.
  public static var attributeType: AttributeType { .decimal }
  /// Zero.
  public static var placeholder: Decimal { 0 }
  /// Reads a decimal number.
  public init?(attributeValue: AnyValue) {
    switch attributeValue {
    case .decimal(let number): self = number
    case .int(let number): self.init(number)
    default: return nil
    }
  }
  /// The number.
  public var attributeValue: AnyValue { .decimal(self) }
}

extension Bool: AttributeValue {
  /// Bool.
  public static var attributeType: AttributeType { .boolean }
  /// False.
  public static var placeholder: Bool { false }
  /// Reads a Boolean.
  public init?(attributeValue: AnyValue) {
    guard case .bool(let flag) = attributeValue else { return nil }
    self = flag
  }
  /// The Boolean.
  public var attributeValue: AnyValue { .bool(self) }
}

extension String: AttributeValue {
  /// String.
  public static var attributeType: AttributeType { .string }
  /// The empty text.
  public static var placeholder: String { "" }
  /// Reads a text.
  public init?(attributeValue: AnyValue) {
    guard case .string(let text) = attributeValue else { return nil }
    self = text
  }
  /// The text.
  public var attributeValue: AnyValue { .string(self) }
}

extension Date: AttributeValue {
  /// Date.
  public static var attributeType: AttributeType { .date }
  /// 1970-01-01T00:00:00Z.
  public static var placeholder: Date { Date(timeIntervalSince1970: 0) }
  /// Reads an instant.
  public init?(attributeValue: AnyValue) {
    guard case .date(let instant) = attributeValue else { return nil }
    self.init(timeIntervalSince1970: instant.seconds)
  }
  /// The instant.
  public var attributeValue: AnyValue { .date(Timestamp(timeIntervalSince1970)) }
}

extension UUID: AttributeValue {
  /// UUID.
  public static var attributeType: AttributeType { .uuid }
  /// The UUID of all zeros.
  public static var placeholder: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
  /// Reads a UUID.
  public init?(attributeValue: AnyValue) {
    guard case .uuid(let uuid) = attributeValue else { return nil }
    self = uuid
  }
  /// The UUID.
  public var attributeValue: AnyValue { .uuid(self) }
}

extension URL: AttributeValue {
  /// URL.
  public static var attributeType: AttributeType { .url }
  /// `about:blank`.
  public static var placeholder: URL { URL(string: "about:blank") ?? .temporaryDirectory }
  /// Reads a URL that Foundation understands.
  public init?(attributeValue: AnyValue) {
    guard case .url(let text) = attributeValue else { return nil }
    self.init(string: text)
  }
  /// The URL.
  public var attributeValue: AnyValue { .url(absoluteString) }
}

extension Data: AttributeValue {
  /// Data.
  public static var attributeType: AttributeType { .data }
  /// Empty data.
  public static var placeholder: Data { Data() }
  /// Reads bytes.
  public init?(attributeValue: AnyValue) {
    guard case .data(let bytes) = attributeValue else { return nil }
    self.init(bytes)
  }
  /// The bytes.
  public var attributeValue: AnyValue { .data(Array(self)) }
}

extension AnyValue: AttributeValue {
  /// Any.
  public static var attributeType: AttributeType { .any }
  /// Null.
  public static var placeholder: AnyValue { .null }
  /// All types.
  public static func fits(_ type: AttributeType) -> Bool { true }
  /// The value itself.
  public init?(attributeValue: AnyValue) { self = attributeValue }
  /// The value itself.
  public var attributeValue: AnyValue { self }
}
