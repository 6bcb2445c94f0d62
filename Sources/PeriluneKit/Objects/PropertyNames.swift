/// The key paths of a class, with the properties of the model to which they lead.
///
/// `perilune types --swift` writes one for each class. It includes inherited key paths, because in Swift `\Child.name`
/// and `\Parent.name` are different.
public struct PropertyNames: @unchecked Sendable {
  struct Property {
    var name: String
    var type: Any.Type
  }

  /// Unchecked: key paths are immutable, and so are values of this type after their creation.
  private(set) var properties: [AnyKeyPath: Property] = [:]

  /// Creates the properties that `body` adds.
  public init(_ body: (inout PropertyNames) -> Void = { _ in }) { body(&self) }

  /// Adds the property of a key path; an element of a composite has a dotted name.
  public mutating func add<Root, Value>(_ name: String, _ keyPath: KeyPath<Root, Value>) {
    properties[keyPath] = Property(name: name, type: Value.self)
  }

  /// The name of a key path's property; nil if it does not lead to a property.
  public subscript(keyPath: AnyKeyPath) -> String? { properties[keyPath]?.name }

  /// The key path to the property with a name; nil if there is none. O(n).
  func keyPath(to name: String) -> AnyKeyPath? { properties.first { $0.value.name == name }?.key }
}

extension ManagedObject {
  /// The name of the property of a key path of the class.
  static func propertyName(of keyPath: AnyKeyPath) throws -> String {
    guard let name = propertyNames[keyPath] else {
      throw PeriluneError(.notAProperty(keyPath: "\(keyPath)", entity: entityName))
    }
    return name
  }
}
