/// The change of the remaining elements' ranks after some elements were removed and others inserted.
///
///     let shift = RankShift(removed: [1], inserted: [0, 1])       // a b c without b, with x y: x y a c
///     shift.new(ofStaying: shift.staying(beforeOld: 2))           // c had rank 2 and has rank 3
struct RankShift {
  /// The old ranks of the removed elements, ascending.
  let removed: [Int]
  /// The new ranks of the inserted elements, ascending.
  let inserted: [Int]

  /// The number of remaining elements before an old rank.
  func staying(beforeOld rank: Int) -> Int { rank - removed.countBelow { $0 < rank } }

  /// The number of remaining elements before a new rank.
  func staying(beforeNew rank: Int) -> Int { rank - inserted.countBelow { $0 < rank } }

  /// The old rank of the remaining element with this number.
  func old(ofStaying number: Int) -> Int { Self.rank(ofStaying: number, among: removed) }

  /// The new rank of the remaining element with this number.
  func new(ofStaying number: Int) -> Int { Self.rank(ofStaying: number, among: inserted) }

  private static func rank(ofStaying number: Int, among others: [Int]) -> Int {
    var (low, high) = (0, others.count)
    while low < high {
      let middle = (low + high) / 2
      if others[middle] - middle <= number { low = middle + 1 } else { high = middle }
    }
    return number + low
  }
}

extension Array {
  /// The number of leading elements that satisfy a condition, which must be false for all others.
  func countBelow(_ isBelow: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBelow(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
