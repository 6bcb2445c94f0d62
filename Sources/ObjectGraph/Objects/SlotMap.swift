/// A sparse set: values for the few slots of a table that have one.
///
/// Lookup, insertion and removal are O(1) without hashing; 4 bytes per slot of the table once there is a value.
struct SlotMap<Element> {
  /// The slots that have a value, in no particular order.
  private(set) var keys: [Int32] = []
  /// Their values, in the order of `keys`.
  private(set) var values: [Element] = []
  /// For each slot, its place in `keys`; -1 for none.
  private var places: [Int32] = []

  var isEmpty: Bool { keys.isEmpty }

  /// How many slots have a value.
  var count: Int { keys.count }

  /// The value of a slot.
  subscript(slot: Int32) -> Element? {
    get {
      guard slot < places.count, case let place = places[Int(slot)], place >= 0 else { return nil }
      return values[Int(place)]
    }
    set {
      let place = slot < places.count ? places[Int(slot)] : -1
      switch (newValue, place >= 0) {
      case (let value?, true): values[Int(place)] = value
      case (let value?, false): append(value, at: slot)
      case (nil, true): remove(slot, at: Int(place))
      case (nil, false): break
      }
    }
  }

  /// Returns the set with transformed values.
  func mapValues(_ transform: (Element) -> Element) -> SlotMap {
    var copy = self
    for place in copy.values.indices { copy.values[place] = transform(copy.values[place]) }
    return copy
  }

  private mutating func append(_ value: Element, at slot: Int32) {
    if slot >= places.count {
      let missing = max(Int(slot) + 1 - places.count, places.count)
      places.append(contentsOf: repeatElement(-1, count: missing))
    }
    places[Int(slot)] = Int32(clamping: keys.count)
    keys.append(slot)
    values.append(value)
  }

  /// Removes an entry by moving the last one into its place.
  private mutating func remove(_ slot: Int32, at place: Int) {
    places[Int(slot)] = -1
    let (lastSlot, last) = (keys.removeLast(), values.removeLast())
    guard lastSlot != slot else { return }
    keys[place] = lastSlot
    values[place] = last
    places[Int(lastSlot)] = Int32(place)
  }
}
