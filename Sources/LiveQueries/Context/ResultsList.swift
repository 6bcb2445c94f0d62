/// The live queries of a context in the order in which they were made, none of them kept alive.
///
/// Adding and removing take constant time in the long run, however many there are: a removed one leaves an empty place, and
/// places are closed up when half of them are empty.
struct ResultsList: Sequence {
  private var places: [Place?] = []
  /// Where each stands.
  private var numbers: [ObjectIdentifier: Int] = [:]

  /// An object of its own: a weak reference in a structure is copied each time that it is looked at.
  private final class Place {
    let id: ObjectIdentifier
    weak var results: LiveQuery?

    init(_ results: LiveQuery) {
      id = ObjectIdentifier(results)
      self.results = results
    }
  }

  /// How many there are.
  var count: Int { numbers.count }

  /// Whether there are none.
  var isEmpty: Bool { numbers.isEmpty }

  /// Adds results behind all others.
  mutating func append(_ results: LiveQuery) {
    numbers[ObjectIdentifier(results)] = places.count
    places.append(Place(results))
  }

  /// Takes results out that may be gone already.
  mutating func remove(_ id: ObjectIdentifier) {
    guard let number = numbers.removeValue(forKey: id) else { return }
    places[number] = nil
    if places.count > 16, places.count > numbers.count * 2 { closeUp() }
  }

  private mutating func closeUp() {
    places.removeAll { $0 == nil }
    for (number, place) in places.enumerated() { if let place { numbers[place.id] = number } }
  }

  /// Those that are alive, in the order in which they were added.
  func makeIterator() -> some IteratorProtocol<LiveQuery> {
    places.lazy.compactMap { $0?.results }.makeIterator()
  }
}
