/// The key of a value that children pass to their parents, which reduce several values to one.
///
///     enum Widest: PreferenceKey {
///       static let defaultValue = 0
///       static func reduce(value: inout Int, nextValue: () -> Int) { value = max(value, nextValue()) }
///     }
public protocol PreferenceKey {
  /// The type of the value.
  associatedtype Value
  /// The value of a scope in which none was set.
  static var defaultValue: Value { get }
  /// Combines the value with the next child's.
  static func reduce(value: inout Value, nextValue: () -> Value)
}

/// The values that nested scopes pass to the scopes around them.
///
///     let widest = preferences.collect(Widest.self) {
///       preferences.set(Widest.self, 3)
///       preferences.collect(Widest.self) { preferences.set(Widest.self, 7) }
///     }                                                    // 7
public final class Preferences {
  private var scopes: [[ObjectIdentifier: Any]] = []
  /// The functions that pass the value of each key from a scope to the enclosing one.
  private var passes: [ObjectIdentifier: ([ObjectIdentifier: Any]) -> Void] = [:]

  /// Creates preferences without values.
  public init() {}

  /// Returns the values set under a key while `body` runs, reduced to one; the enclosing scope receives it too.
  public func collect<Key: PreferenceKey>(_ key: Key.Type, _ body: () throws -> Void) rethrows -> Key.Value {
    scopes.append([:])
    do { try body() } catch {
      scopes.removeLast()
      throw error
    }
    let told = scopes.removeLast()
    for (other, pass) in passes where told[other] != nil { pass(told) }
    return told[ObjectIdentifier(key)] as? Key.Value ?? key.defaultValue
  }

  /// Sets a value in the current scope.
  public func set<Key: PreferenceKey>(_ key: Key.Type, _ value: Key.Value) {
    let id = ObjectIdentifier(key)
    passes[id] = { [unowned self] told in
      if let value = told[id] as? Key.Value { set(key, value) }
    }
    guard let last = scopes.indices.last else { return }
    guard var reduced = scopes[last][id] as? Key.Value else {
      scopes[last][id] = value
      return
    }
    key.reduce(value: &reduced) { value }
    scopes[last][id] = reduced
  }
}
