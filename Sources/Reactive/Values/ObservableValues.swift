/// Named values that are observed one by one: an observable object whose properties are known at run time.
///
///     let person = ObservableValues(["name": "fat", "nick": "f"])
///     person["name"]?.value = "thin"                       // does not notify readers of the nick
public final class ObservableValues<Value> {
  private let properties: [String: State<Value>]

  /// Creates values that `isEqual` compares.
  public init(_ values: [String: Value], isEqual: @escaping (Value, Value) -> Bool) {
    properties = values.mapValues { State($0, isEqual: isEqual) }
  }

  /// Creates values.
  public convenience init(_ values: [String: Value]) where Value: Equatable { self.init(values, isEqual: ==) }

  /// The names, in alphabetical order.
  public var names: [String] { properties.keys.sorted() }

  /// The property with a name; nil if there is none.
  public subscript(name: String) -> State<Value>? { properties[name] }
}
