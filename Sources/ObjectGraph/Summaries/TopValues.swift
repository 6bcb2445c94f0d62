internal import Modeling
internal import Queries

/// The most frequent of the values that are added; equally frequent ones in their order.
struct TopValues {
  private(set) var values: [(value: Value, count: Int)] = []

  /// Whether a value that came so often may be among them.
  func wants(_ count: Int) -> Bool { values.count < NumberTally.mostTop || count >= (values.last?.count ?? 0) }

  mutating func add(_ value: Value, _ count: Int) {
    if values.count == NumberTally.mostTop, let last = values.last, count < last.count { return }
    let place =
      values.firstIndex { $0.count < count || $0.count == count && $0.value.order(value) > 0 } ?? values.count
    guard place < NumberTally.mostTop else { return }
    values.insert((value, count), at: place)
    if values.count > NumberTally.mostTop { values.removeLast() }
  }
}
