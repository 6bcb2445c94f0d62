/// Values that running code shares, with overrides for scopes.
///
///     environment.theme                                    // "light", the default
///     environment.with(\.theme, "dark") {
///       environment.theme                                  // "dark"
///     }
///
/// A scope ends when its function returns or throws. To run code later in the same scope, pass it the scope's `values`.
@dynamicMemberLookup
public final class Environment {
  /// All values of the scope.
  public private(set) var values = EnvironmentValues()

  /// Creates an environment with the defaults.
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

  /// Changes a value of the current scope, until the scope ends.
  public func set<Value>(_ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) {
    values[keyPath: keyPath] = value
  }
}
