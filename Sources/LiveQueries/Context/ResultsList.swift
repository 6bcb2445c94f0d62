/// The live queries of a context in the order of creation, without retaining them: each removes itself before it is gone.
///
/// Adding and removing take amortized constant time: a removed query leaves an empty place, and the list is compacted
/// when half of its places are empty.
struct ResultsList: Sequence {
  private var places: [Place?] = []
  /// The index of each query.
  private var numbers: [ObjectIdentifier: Int] = [:]

  /// A class, because a reference that does not retain is counted, too, each time that a structure with it is copied. Not weak:
  /// counting references to an object that has a weak one takes several times as long, and each round visits all queries.
  private final class Place {
    let id: ObjectIdentifier
    unowned let results: LiveQuery
    /// Whether the query was removed. Who iterates may hold places that are in the list no more.
    var isEmpty = false

    init(_ results: LiveQuery) {
      id = ObjectIdentifier(results)
      self.results = results
    }
  }

  /// The number of queries.
  var count: Int { numbers.count }

  /// Whether there are no queries.
  var isEmpty: Bool { numbers.isEmpty }

  /// Appends a query.
  mutating func append(_ results: LiveQuery) {
    numbers[ObjectIdentifier(results)] = places.count
    places.append(Place(results))
  }

  /// Removes a query, which may be on its way to be deallocated.
  mutating func remove(_ id: ObjectIdentifier) {
    guard let number = numbers.removeValue(forKey: id) else { return }
    places[number]?.isEmpty = true
    places[number] = nil
    if places.count > 16, places.count > numbers.count * 2 { closeUp() }
  }

  private mutating func closeUp() {
    places.removeAll { $0 == nil }
    for (number, place) in places.enumerated() { if let place { numbers[place.id] = number } }
  }

  /// The live queries in the order in which they were added.
  func makeIterator() -> some IteratorProtocol<LiveQuery> {
    places.lazy.compactMap { $0.flatMap { $0.isEmpty ? nil : $0.results } }.makeIterator()
  }
}
