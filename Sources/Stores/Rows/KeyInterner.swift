package import Layouts
package import Modeling

/// Numbers for composite keys, so that one integer identifies every object.
///
/// Numbers are given in the order in which keys are met, from 1, and hold as long as the store is open.
package final class KeyInterner {
  private var numbers: [[Value]: Int64] = [:]
  private var keys: [[Value]] = []

  /// The number of a key, a new one when it was not met before.
  package func number(of key: [Value]) -> Int64 {
    if let known = numbers[key] { return known }
    keys.append(key)
    let number = Int64(keys.count)
    numbers[key] = number
    return number
  }

  /// Makes a number stand for another key: that of the same row, changed.
  package func rename(_ number: Int64, to key: [Value]) {
    guard let old = self.key(number), old != key else { return }
    if numbers[old] == number { numbers[old] = nil }
    numbers[key] = number
    keys[Int(number) - 1] = key
  }

  /// The key behind a number.
  package func key(_ number: Int64) -> [Value]? {
    guard number > 0, number <= keys.count else { return nil }
    return keys[Int(number) - 1]
  }
}

/// The interners of a store's tables.
package final class KeyInterners {
  private var tables: [String: KeyInterner] = [:]
  /// A cache by entity: asking the entity's layout each time would cost more than reading a row.
  private var known: [ObjectIdentifier: KeyInterner?] = [:]

  /// Knows no table yet.
  package init() {}

  /// The interner of an entity's table; nil where the row id is the key.
  package func interner(of entity: Entity, _ layout: (Entity) -> EntityLayout) -> KeyInterner? {
    if let known = known[ObjectIdentifier(entity)] { return known }
    let layout = layout(entity)
    var found: KeyInterner?
    if case .columns = layout.key {
      found = tables[layout.table] ?? KeyInterner()
      tables[layout.table] = found
    }
    known[ObjectIdentifier(entity)] = .some(found)
    return found
  }
}
