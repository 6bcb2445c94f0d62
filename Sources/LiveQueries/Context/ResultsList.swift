/// The live queries of a context in the order of creation, without retaining them: each removes itself before it is gone.
///
/// A query may *sleep*: a round that names the sleeping queries that it concerns visits no others of them.
/// Adding and removing take amortized constant time: a removed query leaves an empty place, and the list is compacted
/// when half of its places are empty.
struct ResultsList: Sequence {
  private var places: [Place] = []
  /// The places of queries that do not sleep, in the same order; some may be empty.
  private var awake: [Place] = []
  private var known: [ObjectIdentifier: Place] = [:]
  private var lastNumber = 0

  /// A class, because a reference that does not retain is counted, too, each time that a structure with it is copied. Not weak:
  /// counting references to an object that has a weak one takes several times as long, and each round may visit all queries.
  private final class Place {
    /// Ascending in the order of creation.
    let number: Int
    unowned let results: LiveQuery
    /// Whether the query was removed. Who iterates may hold places that are in the list no more.
    var isEmpty = false
    var isAsleep = false

    init(_ number: Int, _ results: LiveQuery) {
      self.number = number
      self.results = results
    }

    /// Inserts it where its number belongs.
    func insert(in places: inout [Place]) { places.insert(self, at: places.countBelow { $0.number < number }) }
  }

  /// The number of queries.
  var count: Int { known.count }

  /// Whether there are no queries.
  var isEmpty: Bool { known.isEmpty }

  /// Appends a query, which is awake.
  mutating func append(_ results: LiveQuery) {
    lastNumber += 1
    let place = Place(lastNumber, results)
    known[ObjectIdentifier(results)] = place
    places.append(place)
    awake.append(place)
  }

  /// Removes a query, which may be on its way to be deallocated.
  mutating func remove(_ id: ObjectIdentifier) {
    guard let place = known.removeValue(forKey: id) else { return }
    place.isEmpty = true
    if places.count > 16, places.count > known.count * 2 {
      places.removeAll(where: \.isEmpty)
      awake.removeAll(where: \.isEmpty)
    }
  }

  // MARK: Sleep

  /// Has those of the queries sleep that may.
  mutating func putToSleep(where maySleep: (LiveQuery) -> Bool) {
    awake.removeAll { place in
      if !place.isEmpty { place.isAsleep = maySleep(place.results) }
      return place.isEmpty || place.isAsleep
    }
  }

  /// Wakes a query.
  mutating func wake(_ id: ObjectIdentifier) {
    guard let place = known[id], place.isAsleep else { return }
    place.isAsleep = false
    place.insert(in: &awake)
  }

  /// The queries that are awake and those that are named, in the order in which they were added.
  func awake(and named: [ObjectIdentifier]) -> [LiveQuery] {
    var visited = awake
    for id in named { if let place = known[id], place.isAsleep { place.insert(in: &visited) } }
    return visited.compactMap { $0.isEmpty ? nil : $0.results }
  }

  /// The live queries in the order in which they were added.
  func makeIterator() -> some IteratorProtocol<LiveQuery> {
    places.lazy.compactMap { $0.isEmpty ? nil : $0.results }.makeIterator()
  }
}
