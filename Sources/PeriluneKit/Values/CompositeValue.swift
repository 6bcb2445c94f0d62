public import Modeling

/// A structure that is the value of a composite attribute.
///
///     struct Location: CompositeValue {
///       var latitude: Double
///       var name: String?
///       …
///     }
///
/// `perilune types --swift` writes the rest.
public protocol CompositeValue: AttributeValue, Hashable, Sendable {
  /// Reads the elements.
  init(_ elements: CompositeElements)
  /// The elements.
  var elements: CompositeElements { get }
  /// The key paths of the structure, with their elements.
  static var propertyNames: PropertyNames { get }
}

extension CompositeValue {
  /// Composite.
  public static var attributeType: AttributeType { .composite }
  /// A structure without values.
  public static var placeholder: Self { Self(CompositeElements()) }
  /// Converts a record.
  public init?(attributeValue: AnyValue) {
    guard case .json(.object(let members)) = attributeValue else { return nil }
    self.init(CompositeElements(members: members))
  }
  /// The record.
  public var attributeValue: AnyValue { .json(.object(elements.members)) }
}

/// The elements of a composite value, by their names in the model.
public struct CompositeElements: Hashable, Sendable {
  var members: [String: JSON] = [:]

  /// Creates a composite without elements.
  public init() {}

  init(members: [String: JSON]) { self.members = members }

  /// An element; the placeholder of its type if it has no value, or one of another type.
  public subscript<Element: AttributeValue>(name: String) -> Element {
    get {
      guard let json = members[name] else { return Element.placeholder }
      let attribute = Attribute(name, Element.attributeType)
      let value = Element.attributeType == .composite ? AnyValue.json(json) : attribute.elementValue(json)
      return Element(attributeValue: value) ?? Element.placeholder
    }
    set {
      let value = newValue.attributeValue
      let json = Attribute(name, Element.attributeType).elementJSON(of: value)
      members[name] = json == .null ? nil : json
    }
  }
}
