internal import Foundation

/// Values that belong to objects, for as long as these exist; safe to use on any thread.
///
/// An entry refers to its object weakly, so that another object at the same address is not mistaken for it.
final class WeakTable<Key: AnyObject, Value>: @unchecked Sendable {
  private struct Entry {
    weak var key: Key?
    let value: Value
  }

  private let lock = NSLock()
  private var entries: [ObjectIdentifier: Entry] = [:]
  /// The number of entries at which those of gone objects are removed.
  private var limit = 64

  /// The value of an object; nil if it has none.
  subscript(key: Key) -> Value? {
    lock.withLock { value(of: key) }
  }

  /// Returns the value of an object, which `make` creates if it has none.
  func value(of key: Key, _ make: () -> Value) -> Value {
    lock.withLock {
      if let known = value(of: key) { return known }
      if entries.count >= limit {
        entries = entries.filter { $0.value.key != nil }
        limit = max(64, 2 * entries.count)
      }
      let new = make()
      entries[ObjectIdentifier(key)] = Entry(key: key, value: new)
      return new
    }
  }

  private func value(of key: Key) -> Value? {
    guard let entry = entries[ObjectIdentifier(key)], entry.key === key else { return nil }
    return entry.value
  }
}
