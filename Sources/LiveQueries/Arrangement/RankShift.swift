/// How the ranks of what stayed changed, when some were taken out and others put in.
///
///     let shift = RankShift(removed: [1], inserted: [0, 1])       // of a b c b went, x y came: x y a c
///     shift.new(ofStaying: shift.staying(beforeOld: 2))           // c was 2 and is 3
struct RankShift {
  /// The old ranks of what was taken out, ascending.
  let removed: [Int]
  /// The new ranks of what was put in, ascending.
  let inserted: [Int]

  /// How many of those that stay were before an old rank.
  func staying(beforeOld rank: Int) -> Int { rank - removed.countBelow { $0 < rank } }

  /// How many of those that stay are before a new rank.
  func staying(beforeNew rank: Int) -> Int { rank - inserted.countBelow { $0 < rank } }

  /// The old rank of the one before which so many stay.
  func old(ofStaying number: Int) -> Int { Self.rank(ofStaying: number, among: removed) }

  /// The new rank of the one before which so many stay.
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
  /// How many elements at the beginning satisfy a condition that holds for none behind them.
  func countBelow(_ isBelow: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBelow(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
