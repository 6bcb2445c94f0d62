/// A value that children tell their parents: those of several are reduced to one.
///
///     enum Widest: PreferenceKey {
///       static let defaultValue = 0
///       static func reduce(value: inout Int, nextValue: () -> Int) { value = max(value, nextValue()) }
///     }
public protocol PreferenceKey {
  /// What kind of value it is.
  associatedtype Value
  /// The value of those who tell none.
  static var defaultValue: Value { get }
  /// Puts the next child's value to what there is.
  static func reduce(value: inout Value, nextValue: () -> Value)
}

/// What scopes tell those around them.
///
///     let widest = preferences.collect(Widest.self) {
///       preferences.set(Widest.self, 3)
///       preferences.collect(Widest.self) { preferences.set(Widest.self, 7) }
///     }                                                    // 7
public final class Preferences {
  private var scopes: [[ObjectIdentifier: Any]] = []
  /// How the values of each key that was told go from a scope to the one around it.
  private var passes: [ObjectIdentifier: ([ObjectIdentifier: Any]) -> Void] = [:]

  /// Preferences that nobody has told.
  public init() {}

  /// What is told under a key while `body` runs, reduced to one value; the scope around is told the same.
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

  /// Tells the scope a value.
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
