/// The values that what runs now has in common, with other ones for a scope.
///
///     environment.theme                                    // "light", the default
///     environment.with(\.theme, "dark") {
///       environment.theme                                  // "dark"
///     }
///
/// A scope ends when its function does, also by an error. What is to run later in the same scope is given its `values`.
@dynamicMemberLookup
public final class Environment {
  /// All values of the scope.
  public private(set) var values = EnvironmentValues()

  /// An environment with the defaults.
  public init() {}

  /// The value under a key.
  public subscript<Value>(dynamicMember keyPath: KeyPath<EnvironmentValues, Value>) -> Value {
    values[keyPath: keyPath]
  }

  /// Runs `body` with another value under one key.
  public func with<Value, Result>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value, _ body: () throws -> Result
  ) rethrows -> Result {
    var scope = values
    scope[keyPath: keyPath] = value
    return try with(scope, body)
  }

  /// Runs `body` with the values of another scope.
  public func with<Result>(_ scope: EnvironmentValues, _ body: () throws -> Result) rethrows -> Result {
    let outer = values
    values = scope
    defer { values = outer }
    return try body()
  }

  /// Changes a value of the scope that runs now, until the scope ends.
  public func set<Value>(_ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) {
    values[keyPath: keyPath] = value
  }
}
