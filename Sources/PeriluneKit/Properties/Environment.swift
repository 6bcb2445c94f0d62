public import Reactive

/// A property that reads a value of the environment, which a whole scope shares.
///
///     final class Board {
///       @Environment(\.managedObjectContext) var context
///       @Environment(\.theme) var theme
///     }
///     withEnvironment(\.theme, "dark") { board.theme }      // "dark"
///
/// Keys are declared as in SwiftUI, by an `EnvironmentKey` and a property of `EnvironmentValues`.
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  private let read: (EnvironmentValues) -> Value

  /// The value under a key.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { read = { $0[keyPath: keyPath] } }

  /// The object of a class that `withEnvironmentObject` has set; nil if there is none.
  public init<Object: AnyObject>(_ type: Object.Type) where Value == Object? { read = { $0[ObjectKey<Object>.self] } }

  /// The object of a class that `withEnvironmentObject` has set. As in SwiftUI, the program ends if there is none.
  public init(_ type: Value.Type) where Value: AnyObject {
    read = { values in
      guard let object = values[ObjectKey<Value>.self] else {
        preconditionFailure("no \(type) in the environment: use withEnvironmentObject(_:_:) around this")
      }
      return object
    }
  }

  /// The value in the current scope.
  public var wrappedValue: Value { read(.current) }
}

/// Runs `body` with another value in the environment.
public func withEnvironment<Value, Result>(
  _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value, _ body: () throws -> Result
) rethrows -> Result {
  try Reactive.Environment.ofProgram.with(keyPath, value, body)
}

extension EnvironmentValues {
  /// The values of the current scope.
  public static var current: EnvironmentValues { Reactive.Environment.ofProgram.values }

  /// Sets a value of the current scope; outside of all scopes, for the rest of the program.
  public static func set<Value>(_ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) {
    Reactive.Environment.ofProgram.set(keyPath, value)
  }
}
