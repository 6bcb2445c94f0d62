/// The key paths of a class and the properties of the model that they lead to.
///
/// `perilune types --swift` writes one for each class. Those that a class inherits are among them, as Swift takes
/// `\Child.name` and `\Parent.name` for two key paths.
public struct PropertyNames: @unchecked Sendable {
  struct Property {
    var name: String
    var type: Any.Type
  }

  /// Key paths never change, and so do the values of this type once they are made.
  private(set) var properties: [AnyKeyPath: Property] = [:]

  /// The properties that `body` adds.
  public init(_ body: (inout PropertyNames) -> Void = { _ in }) { body(&self) }

  /// Says which property a key path leads to; an element of a composite has a dotted name.
  public mutating func add<Root, Value>(_ name: String, _ keyPath: KeyPath<Root, Value>) {
    properties[keyPath] = Property(name: name, type: Value.self)
  }

  /// The name of the property that a key path leads to; nil for one that leads elsewhere.
  public subscript(keyPath: AnyKeyPath) -> String? { properties[keyPath]?.name }
}

extension ManagedObject {
  /// The name of the property that a key path of the class leads to.
  static func propertyName(of keyPath: AnyKeyPath) throws -> String {
    guard let name = propertyNames[keyPath] else {
      throw PeriluneError(.notAProperty(keyPath: "\(keyPath)", entity: entityName))
    }
    return name
  }
}
