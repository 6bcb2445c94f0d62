public import Modeling

/// The value of any attribute, for types without a Swift type of their own.
public typealias AnyValue = Modeling.Value

/// A type that predicates compare with: attribute values, objects, and lists of them.
public protocol PredicateValue {
  /// The value in a predicate's form.
  var predicateValue: AnyValue { get }
}

/// A type of attribute values.
///
/// An enumeration with raw values needs only the conformance and a placeholder for missing values:
///
///     enum Alert: String, AttributeValue {
///       case green, red
///       static var placeholder: Alert { .green }
///     }
///     extension Quake {
///       var alert: Alert? {
///         get { self["alert"] }
///         set { self["alert"] = newValue }
///       }
///     }
public protocol AttributeValue: PredicateValue {
  /// The attribute type of a composite's element with this type.
  static var attributeType: AttributeType { get }
  /// The value to return while a mandatory attribute has none.
  static var placeholder: Self { get }
  /// Whether attributes of a type can hold values of this one.
  static func fits(_ type: AttributeType) -> Bool
  /// Converts the value of an attribute; returns nil if it is of another type.
  init?(attributeValue: AnyValue)
  /// The value in an attribute's form.
  var attributeValue: AnyValue { get }
}

extension AttributeValue {
  /// Whether attributes of a type can hold values of this one: those of its own type.
  public static func fits(_ type: AttributeType) -> Bool { type == attributeType }
  /// The attribute value.
  public var predicateValue: AnyValue { attributeValue }
}

extension RawRepresentable where Self: AttributeValue, RawValue: AttributeValue {
  /// The attribute type of the raw values.
  public static var attributeType: AttributeType { RawValue.attributeType }
  /// Whether attributes of a type can hold the raw values.
  public static func fits(_ type: AttributeType) -> Bool { RawValue.fits(type) }
  /// Converts a raw value.
  public init?(attributeValue: AnyValue) {
    guard let rawValue = RawValue(attributeValue: attributeValue) else { return nil }
    self.init(rawValue: rawValue)
  }
  /// The raw value.
  public var attributeValue: AnyValue { rawValue.attributeValue }
}

extension Optional: PredicateValue where Wrapped: PredicateValue {
  /// The value, or null.
  public var predicateValue: AnyValue { self?.predicateValue ?? .null }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
  /// The attribute type of the wrapped type.
  public static var attributeType: AttributeType { Wrapped.attributeType }
  /// Nil.
  public static var placeholder: Wrapped? { nil }
  /// Whether attributes of a type can hold the wrapped type.
  public static func fits(_ type: AttributeType) -> Bool { Wrapped.fits(type) }
  /// Converts a value; null becomes nil.
  public init?(attributeValue: AnyValue) {
    guard !attributeValue.isNull else {
      self = Wrapped?.none
      return
    }
    guard let value = Wrapped(attributeValue: attributeValue) else { return nil }
    self = value
  }
  /// The value, or null.
  public var attributeValue: AnyValue { self?.attributeValue ?? .null }
}

extension Array: PredicateValue where Element: PredicateValue {
  /// The elements as a list.
  public var predicateValue: AnyValue { .list(map(\.predicateValue)) }
}

extension Set: PredicateValue where Element: PredicateValue {
  /// The elements as a list.
  public var predicateValue: AnyValue { .list(map(\.predicateValue)) }
}
