internal import LuaRuntime

/// The functions that scripts registered for an event, in the order in which they were added.
final class Listeners {
  private var functions: [(number: Int, function: LuaReference)] = []
  private var added = 0

  var isEmpty: Bool { functions.isEmpty }

  /// Adds a function; returns the number for its removal.
  func add(_ function: LuaReference) -> Int {
    added += 1
    functions.append((added, function))
    return added
  }

  func remove(_ number: Int) { functions.removeAll { $0.number == number } }

  /// Calls `body` with each function that is still registered when its turn comes.
  func forEach(_ body: (LuaReference) throws -> Void) rethrows {
    for (number, function) in functions where functions.contains(where: { $0.number == number }) {
      try body(function)
    }
  }
}
