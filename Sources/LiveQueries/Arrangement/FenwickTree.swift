/// Counts with fast prefix sums, and a fast search for the index at which a sum is reached.
struct FenwickTree {
  /// Sums of ranges; the first is unused.
  private var sums: ContiguousArray<Int>

  /// Creates a tree of these counts.
  init(_ counts: ContiguousArray<Int>) {
    sums = [0]
    sums.reserveCapacity(counts.count + 1)
    sums.append(contentsOf: counts)
    for index in sums.indices.dropFirst() {
      let above = index + (index & -index)
      if above < sums.count { sums[above] += sums[index] }
    }
  }

  /// The number of counts.
  var count: Int { sums.count - 1 }

  /// Adds to the count at an index.
  mutating func add(_ amount: Int, at place: Int) {
    var index = place + 1
    while index < sums.count {
      sums[index] += amount
      index += index & -index
    }
  }

  /// The sum of the counts before an index.
  func sum(before place: Int) -> Int {
    var (sum, index) = (0, place)
    while index > 0 {
      sum += sums[index]
      index &= index - 1
    }
    return sum
  }

  /// The index whose count contains the number, and the remainder there; the number must be less than the total.
  func find(_ number: Int) -> (place: Int, rest: Int) {
    var (place, rest) = (0, number)
    var step = 1
    while step << 1 < sums.count { step <<= 1 }
    while step > 0 {
      if place + step < sums.count, sums[place + step] <= rest {
        place += step
        rest -= sums[place]
      }
      step >>= 1
    }
    return (place, rest)
  }

  /// The bytes of memory used.
  var bytesUsed: Int { sums.capacity * MemoryLayout<Int>.stride }
}
