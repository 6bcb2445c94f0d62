/// A value that whole scopes have in common.
///
///     enum Theme: EnvironmentKey { static let defaultValue = "light" }
///     extension EnvironmentValues {
///       var theme: String { get { self[Theme.self] } set { self[Theme.self] = newValue } }
///     }
public protocol EnvironmentKey {
  /// What kind of value it is.
  associatedtype Value
  /// The value where no scope has another.
  static var defaultValue: Value { get }
}

/// The values of a scope, by key.
public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]

  /// The defaults.
  public init() {}

  /// The value under a key.
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? key.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}
