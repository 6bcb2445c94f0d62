public import Reactive

/// A property with an `ObservableObject` that is kept elsewhere.
///
///     struct Title { @ObservedObject var library: Library }
///     view.$library.title                                  // a Binding<String>
///
/// Effects that use the object run again at each of its changes, read or not.
@propertyWrapper
public struct ObservedObject<Object: ObservableObject>: DynamicProperty {
  private var object: Object

  /// Creates a property with an object.
  public init(wrappedValue: Object) { object = wrappedValue }

  /// Creates a property with an object.
  public init(initialValue: Object) { object = initialValue }

  /// The object.
  public var wrappedValue: Object {
    get {
      object.objectWillChange.access()
      return object
    }
    set { object = newValue }
  }

  /// Bindings to the properties of the object.
  public var projectedValue: Bindable<Object> { Bindable(object) }
}

/// A property with an `ObservableObject` that it creates at its first use and keeps.
///
///     @StateObject private var library = Library()
@propertyWrapper
public struct StateObject<Object: ObservableObject>: DynamicProperty {
  private final class Storage {
    private let make: () -> Object
    lazy var object = make()

    init(_ make: @escaping () -> Object) { self.make = make }
  }

  private let storage: Storage

  /// Creates a property with the object that `thunk` creates.
  public init(wrappedValue thunk: @autoclosure @escaping () -> Object) { storage = Storage(thunk) }

  /// The object; always the same one.
  public var wrappedValue: Object {
    storage.object.objectWillChange.access()
    return storage.object
  }

  /// Bindings to the properties of the object.
  public var projectedValue: Bindable<Object> { Bindable(storage.object) }
}

/// A property with the `ObservableObject` of its class in the environment.
///
///     withEnvironmentObject(library) { print(view.library.title) }
///
/// As in SwiftUI, the program ends if the environment has none.
@propertyWrapper
public struct EnvironmentObject<Object: ObservableObject>: DynamicProperty {
  /// Creates a property that reads the environment when it is used.
  public init() {}

  /// The object.
  public var wrappedValue: Object {
    guard let object = EnvironmentValues.current[ObjectKey<Object>.self] else {
      preconditionFailure("no \(Object.self) in the environment: use withEnvironmentObject(_:_:) around this")
    }
    object.objectWillChange.access()
    return object
  }

  /// Bindings to the properties of the object.
  public var projectedValue: Bindable<Object> { Bindable(wrappedValue) }
}

/// Runs `body` with an object in the environment, for `@EnvironmentObject` and `@Environment` of its class.
public func withEnvironmentObject<Object: AnyObject, Result>(
  _ object: Object, _ body: () throws -> Result
) rethrows -> Result {
  var scope = EnvironmentValues.current
  scope[ObjectKey<Object>.self] = object
  return try Reactive.Environment.ofProgram.with(scope, body)
}

/// The object of a class in the environment.
enum ObjectKey<Object: AnyObject>: EnvironmentKey {
  static var defaultValue: Object? { nil }
}
