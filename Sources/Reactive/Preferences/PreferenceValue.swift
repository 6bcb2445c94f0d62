/// A value in a preference file, with its exact type.
///
/// In the file each value is an object with one member, whose name is the type: `{"int":5}`,
/// `{"list":[{"string":"a"}]}`.
public enum PreferenceValue: Hashable, Sendable {
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case string(String)
  case data([UInt8])
  /// Seconds since the beginning of 1970.
  case date(Double)
  case list([PreferenceValue])
  case dictionary([String: PreferenceValue])

  /// The name of the type.
  public var typeName: String {
    switch self {
    case .bool: "bool"
    case .int: "int"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .list: "list"
    case .dictionary: "dictionary"
    }
  }
}

/// A type whose values a preference file can store.
public protocol PreferenceRepresentable: Equatable {
  /// The value in the file's form.
  var preferenceValue: PreferenceValue { get }
  /// Converts a value of the file; returns nil if it is of another type.
  init?(preferenceValue: PreferenceValue)
  /// Whether a value of the file may replace this default; true unless implemented.
  func accepts(_ value: Self) -> Bool
}

extension PreferenceRepresentable {
  /// Accepts any value of the type.
  public func accepts(_ value: Self) -> Bool { true }
}

extension PreferenceValue: PreferenceRepresentable {
  /// The value itself.
  public var preferenceValue: PreferenceValue { self }
  /// The value itself.
  public init?(preferenceValue: PreferenceValue) { self = preferenceValue }
}

extension Bool: PreferenceRepresentable {
  /// The Boolean.
  public var preferenceValue: PreferenceValue { .bool(self) }
  /// Converts a Boolean of the file.
  public init?(preferenceValue: PreferenceValue) {
    guard case .bool(let flag) = preferenceValue else { return nil }
    self = flag
  }
}

extension Int: PreferenceRepresentable {
  /// The number.
  public var preferenceValue: PreferenceValue { .int(Int64(self)) }
  /// Converts an integer of the file.
  public init?(preferenceValue: PreferenceValue) {
    guard case .int(let number) = preferenceValue else { return nil }
    self.init(exactly: number)
  }
}

extension Double: PreferenceRepresentable {
  /// The number.
  public var preferenceValue: PreferenceValue { .double(self) }
  /// Converts a number of the file, also an integer.
  public init?(preferenceValue: PreferenceValue) {
    switch preferenceValue {
    case .double(let number): self = number
    case .int(let number): self.init(exactly: number)
    default: return nil
    }
  }
}

extension String: PreferenceRepresentable {
  /// The text.
  public var preferenceValue: PreferenceValue { .string(self) }
  /// Converts a text of the file.
  public init?(preferenceValue: PreferenceValue) {
    guard case .string(let text) = preferenceValue else { return nil }
    self = text
  }
}

extension Array: PreferenceRepresentable where Element: PreferenceRepresentable {
  /// The elements as a list.
  public var preferenceValue: PreferenceValue { .list(map(\.preferenceValue)) }
  /// Converts a list of the file, if each element is of the type.
  public init?(preferenceValue: PreferenceValue) {
    guard case .list(let values) = preferenceValue else { return nil }
    let elements = values.compactMap { Element(preferenceValue: $0) }
    guard elements.count == values.count else { return nil }
    self = elements
  }
}

extension Dictionary: PreferenceRepresentable where Key == String, Value: PreferenceRepresentable {
  /// The members as a dictionary.
  public var preferenceValue: PreferenceValue { .dictionary(mapValues(\.preferenceValue)) }
  /// Converts a dictionary of the file, if each value is of the type.
  public init?(preferenceValue: PreferenceValue) {
    guard case .dictionary(let values) = preferenceValue else { return nil }
    let members = values.compactMapValues { Value(preferenceValue: $0) }
    guard members.count == values.count else { return nil }
    self = members
  }
}
