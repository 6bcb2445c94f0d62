/// Bindings to the properties of an object.
///
///     final class Person { @State var name = "fat" }
///     let name = Bindable(person).name                     // a Binding<String>
///
/// The bindable retains the object. Its properties are tracked if they are observable, as `State` is.
@propertyWrapper @dynamicMemberLookup
public struct Bindable<Object: AnyObject> {
  /// The object.
  public var wrappedValue: Object

  /// Bindings to the properties of `object`.
  public init(_ object: Object) { wrappedValue = object }

  /// Bindings to the properties of an object: `@Bindable var person = Person()`.
  public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }

  /// The bindings: `$person.name`.
  public var projectedValue: Bindable { self }

  /// A binding to a property.
  public subscript<Value>(dynamicMember keyPath: ReferenceWritableKeyPath<Object, Value>) -> Binding<Value> {
    let object = wrappedValue
    return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
  }
}
