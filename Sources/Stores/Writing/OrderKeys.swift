/// Sparse numbers that keep members in order: between any two neighbours there is room for ten more.
package enum OrderKeys {
  package static let start: Int64 = 2048
  package static let step: Int64 = 1024

  /// A member of an ordered to-many with its place.
  package typealias Member = (member: Int64, place: Int64?)

  /// Returns the members of an owner, with their places, in the order of `members`. Objects that are no members are left
  /// out. Members that are not listed come last, because other connections have added them.
  package static func arranged(_ members: [Int64], among present: [Member]) -> [Member] {
    let known = Dictionary(present.map { ($0.member, $0) }, uniquingKeysWith: { first, _ in first })
    let listed = Set(members)
    let added = present.filter { $0.place != nil && !listed.contains($0.member) }.sorted {
      ($0.place ?? 0, $0.member) < ($1.place ?? 0, $1.member)
    }
    return members.compactMap { known[$0] } + added
  }

  /// Returns the changes after which `places`, given in the wanted order, ascend.
  ///
  ///     changes([2048, 4096, 3072])     // [(1, 2560)]
  ///
  /// The longest run that ascends already is kept; the others get numbers between their neighbours. Where there is no
  /// room, all are numbered anew.
  package static func changes(_ places: [Int64?]) -> [(index: Int, place: Int64)] {
    let kept = longestAscending(places)
    var changes: [(index: Int, place: Int64)] = []
    var previous: Int64?
    var index = 0
    while index < places.count {
      if kept.contains(index) {
        previous = places[index]
        index += 1
        continue
      }
      var end = index
      while end < places.count, !kept.contains(end) { end += 1 }
      let next = end < places.count ? places[end] : nil
      guard let numbers = numbers(count: end - index, after: previous, before: next) else { return renumbered(places) }
      changes += zip(index..<end, numbers).map { (index: $0, place: $1) }
      previous = numbers.last
      index = end
    }
    return changes
  }

  /// Numbers spread between two neighbours; nil if there is no room.
  private static func numbers(count: Int, after previous: Int64?, before next: Int64?) -> [Int64]? {
    let count64 = Int64(count)
    switch (previous, next) {
    case (nil, nil): return (0..<count64).map { start + $0 * step }
    case (let low?, nil):
      guard low <= Int64.max - (count64 + 1) * step else { return nil }
      return (1...count64).map { low + $0 * step }
    case (nil, let high?):
      guard high >= Int64.min + (count64 + 1) * step else { return nil }
      return (1...count64).map { high - (count64 + 1 - $0) * step }
    case (let low?, let high?):
      let (room, isTooWide) = high.subtractingReportingOverflow(low)
      guard !isTooWide, room > count64 else { return nil }
      return (1...count64).map { low + room / (count64 + 1) * $0 + room % (count64 + 1) * $0 / (count64 + 1) }
    }
  }

  private static func renumbered(_ places: [Int64?]) -> [(index: Int, place: Int64)] {
    places.indices.map { (index: $0, place: start + Int64($0) * step) }.filter { places[$0.index] != $0.place }
  }

  /// The indices of a longest strictly ascending subsequence.
  private static func longestAscending(_ places: [Int64?]) -> Set<Int> {
    // For each length, the index of the smallest number that ends a subsequence of that length.
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: places.count)
    func place(_ index: Int) -> Int64 { places[index] ?? 0 }
    for index in places.indices where places[index] != nil {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if place(ends[middle]) < place(index) { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var kept: Set<Int> = []
    var next = ends.last
    while let index = next {
      kept.insert(index)
      next = before[index]
    }
    return kept
  }
}
