public import Modeling

/// The value of any attribute, for those without a type of their own in Swift.
public typealias AnyValue = Modeling.Value

/// Something that a predicate compares with: values of attributes, objects, and lists of them.
public protocol PredicateValue {
  /// The value as a predicate has it.
  var predicateValue: AnyValue { get }
}

/// A type whose values attributes hold.
///
/// An enumeration with raw values needs no more than its name and what an object without a value has:
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
  /// The type of attribute that a composite's element of this type is.
  static var attributeType: AttributeType { get }
  /// What is read where a mandatory attribute has no value yet.
  static var placeholder: Self { get }
  /// Whether attributes of a type hold values of this one.
  static func fits(_ type: AttributeType) -> Bool
  /// Reads the value of an attribute; nil where it is none of this type.
  init?(attributeValue: AnyValue)
  /// The value as an attribute holds it.
  var attributeValue: AnyValue { get }
}

extension AttributeValue {
  /// Whether attributes of a type hold values of this one: those of its own type.
  public static func fits(_ type: AttributeType) -> Bool { type == attributeType }
  /// The value of the attribute.
  public var predicateValue: AnyValue { attributeValue }
}

extension RawRepresentable where Self: AttributeValue, RawValue: AttributeValue {
  /// The type of the raw values.
  public static var attributeType: AttributeType { RawValue.attributeType }
  /// Whether attributes of a type hold the raw values.
  public static func fits(_ type: AttributeType) -> Bool { RawValue.fits(type) }
  /// Reads a raw value.
  public init?(attributeValue: AnyValue) {
    guard let rawValue = RawValue(attributeValue: attributeValue) else { return nil }
    self.init(rawValue: rawValue)
  }
  /// The raw value.
  public var attributeValue: AnyValue { rawValue.attributeValue }
}

extension Optional: PredicateValue where Wrapped: PredicateValue {
  /// The value, or nothing.
  public var predicateValue: AnyValue { self?.predicateValue ?? .null }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
  /// The type of what is wrapped.
  public static var attributeType: AttributeType { Wrapped.attributeType }
  /// Nothing.
  public static var placeholder: Wrapped? { nil }
  /// Whether attributes of a type hold what is wrapped.
  public static func fits(_ type: AttributeType) -> Bool { Wrapped.fits(type) }
  /// Reads a value; null gives nil.
  public init?(attributeValue: AnyValue) {
    guard !attributeValue.isNull else {
      self = Wrapped?.none
      return
    }
    guard let value = Wrapped(attributeValue: attributeValue) else { return nil }
    self = value
  }
  /// The value, or nothing.
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
