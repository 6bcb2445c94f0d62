/// The key of a value in an environment.
///
///     enum Theme: EnvironmentKey { static let defaultValue = "light" }
///     extension EnvironmentValues {
///       var theme: String { get { self[Theme.self] } set { self[Theme.self] = newValue } }
///     }
public protocol EnvironmentKey {
  /// The type of the value.
  associatedtype Value
  /// The value if no scope overrides it.
  static var defaultValue: Value { get }
}

/// The values of a scope, by key.
public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]

  /// Creates the defaults.
  public init() {}

  /// The value under a key.
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? key.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}
