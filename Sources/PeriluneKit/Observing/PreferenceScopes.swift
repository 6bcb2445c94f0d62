internal import Foundation
public import Reactive

/// Runs `body` and returns the values that were set under a key in it, reduced to one; the scope around it receives it,
/// too.
///
///     enum Widest: PreferenceKey {
///       static let defaultValue = 0
///       static func reduce(value: inout Int, nextValue: () -> Int) { value = max(value, nextValue()) }
///     }
///     let widest = collectPreference(Widest.self) {
///       setPreference(Widest.self, 3)
///       setPreference(Widest.self, 7)
///     }                                                    // 7
public func collectPreference<Key: PreferenceKey>(
  _ key: Key.Type, _ body: () throws -> Void
) rethrows -> Key.Value {
  try Preferences.ofThread.collect(key, body)
}

/// Passes a value to the scopes around the current one; outside of all scopes it reaches none.
public func setPreference<Key: PreferenceKey>(_ key: Key.Type, _ value: Key.Value) {
  Preferences.ofThread.set(key, value)
}

extension Preferences {
  /// Those of the running thread.
  fileprivate static var ofThread: Preferences {
    let threadDictionary = Thread.current.threadDictionary
    if let known = threadDictionary[key] as? Preferences { return known }
    let new = Preferences()
    threadDictionary[key] = new
    return new
  }

  private static let key = "PeriluneKit.Preferences"
}
