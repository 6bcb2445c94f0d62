internal import Foundation
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
public struct Environment<Value> {
  private let keyPath: KeyPath<EnvironmentValues, Value>

  /// The value under a key.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

  /// The value in the current scope.
  public var wrappedValue: Value { EnvironmentValues.current[keyPath: keyPath] }
}

/// Runs `body` with another value in the environment.
public func withEnvironment<Value, Result>(
  _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value, _ body: () throws -> Result
) rethrows -> Result {
  try Reactive.Environment.ofThread.with(keyPath, value, body)
}

extension EnvironmentValues {
  /// The values of the current scope.
  public static var current: EnvironmentValues { Reactive.Environment.ofThread.values }

  /// Sets a value of the current scope; outside of all scopes, for the rest of the program.
  public static func set<Value>(_ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) {
    Reactive.Environment.ofThread.set(keyPath, value)
  }
}

extension Reactive.Environment {
  /// The environment of the running thread.
  static var ofThread: Reactive.Environment {
    let threadDictionary = Thread.current.threadDictionary
    if let known = threadDictionary[key] as? Reactive.Environment { return known }
    let new = Reactive.Environment()
    threadDictionary[key] = new
    return new
  }

  private static let key = "PeriluneKit.Environment"
}
