import Modeling

/// The rows of a join table at the last scan: the two references and a hash of each.
struct PairVersions {
  /// A row whose two references are integers.
  struct Pair: Hashable, Comparable {
    var first: Int64
    var second: Int64
    var hash: UInt64

    static func < (left: Pair, right: Pair) -> Bool {
      (left.first, left.second, left.hash) < (right.first, right.second, right.hash)
    }
  }

  /// The pairs in ascending order.
  private var pairs: [Pair]

  /// Stores the scanned rows.
  init(_ pairs: [Pair]) { self.pairs = pairs.sorted() }

  /// Replaces the rows by a later scan; returns the deleted and the inserted rows.
  mutating func replace(with now: PairVersions) -> (gone: [Pair], new: [Pair]) {
    let difference = now.pairs.difference(from: pairs)
    pairs = now.pairs
    return difference
  }
}

extension [PairVersions.Pair] {
  /// Returns the difference of two ascending lists.
  fileprivate func difference(from old: Self) -> (gone: Self, new: Self) {
    var (gone, new): (Self, Self) = ([], [])
    var (left, right) = (0, 0)
    while left < old.count || right < count {
      if right == count || (left < old.count && old[left] < self[right]) {
        gone.append(old[left])
        left += 1
      } else if left == old.count || self[right] < old[left] {
        new.append(self[right])
        right += 1
      } else {
        left += 1
        right += 1
      }
    }
    return (gone, new)
  }
}
