/// The observers that are called at once for each change of a value, in the order in which they were added.
struct ChangeObservers<Value> {
  struct Observer {
    var id: Int
    var name: () -> String
    var body: (_ new: Value, _ old: Value) -> Void
  }

  private(set) var all: [Observer] = []
  private var added = 0

  /// Adds an observer; returns the number for its removal.
  mutating func add(name: @escaping () -> String, _ body: @escaping (Value, Value) -> Void) -> Int {
    added += 1
    all.append(Observer(id: added, name: name, body: body))
    return added
  }

  mutating func remove(_ id: Int) { all.removeAll { $0.id == id } }

  func contains(_ id: Int) -> Bool { all.contains { $0.id == id } }
}
