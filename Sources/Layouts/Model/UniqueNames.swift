import Modeling

/// Hands out names that differ, as SQLite compares names: without regard to the case of ASCII letters.
package struct UniqueNames {
  private var taken: Set<String>

  /// Starts with the names in `reserved` gone.
  package init(reserved: some Sequence<String> = [String]()) { taken = Set(reserved.map(asciiLowercased)) }

  /// `name`, or the name with the smallest number from 2 on that makes it differ from all before.
  package mutating func take(_ name: String, separator: String = "_") -> String {
    var candidate = name
    var number = 2
    while !taken.insert(asciiLowercased(candidate)).inserted {
      candidate = "\(name)\(separator)\(number)"
      number += 1
    }
    return candidate
  }
}
