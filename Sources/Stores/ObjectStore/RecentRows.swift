/// Where the rows come from that a store was given last: it may refuse one of them later, by its key.
public struct RecentRows<Place> {
  private var keys: [Int64] = []
  private var places: [Place] = []
  /// More rows than any store lets wait.
  private static var most: Int { 16_384 }

  /// Knows no rows yet.
  public init() {}

  /// Notes where the row with a key comes from.
  public mutating func note(_ key: Int64, _ place: Place) {
    if keys.count >= 2 * Self.most {
      keys.removeFirst(Self.most)
      places.removeFirst(Self.most)
    }
    keys.append(key)
    places.append(place)
  }

  /// The place of the row that an error names; nil where it names none of these.
  public func place(of error: StoreError) -> Place? {
    error.key.flatMap { keys.lastIndex(of: $0) }.map { places[$0] }
  }
}
