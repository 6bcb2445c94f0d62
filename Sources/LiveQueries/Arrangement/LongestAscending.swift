/// The indices of a longest ascending subsequence of distinct numbers, ascending.
func longestAscending(_ numbers: [Int]) -> [Int] {
  // For each length, the index of the smallest number that ends a subsequence of that length; for each index, its
  // predecessor.
  var ends: [Int] = []
  var before = [Int](repeating: -1, count: numbers.count)
  for (place, number) in numbers.enumerated() {
    let length = ends.last.map { numbers[$0] < number } ?? true ? ends.count : ends.countBelow { numbers[$0] < number }
    if length > 0 { before[place] = ends[length - 1] }
    if length == ends.count { ends.append(place) } else { ends[length] = place }
  }
  var selection: [Int] = []
  selection.reserveCapacity(ends.count)
  var place = ends.last ?? -1
  while place >= 0 {
    selection.append(place)
    place = before[place]
  }
  return selection.reversed()
}

/// The indices of a longest ascending subsequence of distinct numbers, ascending. Among several, one with the fewest
/// numbers to avoid.
///
///     longestAscending([5, 3], avoiding: [true, false])       // [1]
func longestAscending(_ numbers: [Int], avoiding isAvoided: [Bool]) -> [Int] {
  // For each index, the best subsequence that ends there, as its length and its number of unavoided elements, and the
  // predecessor.
  var best: [Int] = []
  best.reserveCapacity(numbers.count)
  var before = [Int](repeating: -1, count: numbers.count)
  // By rank of number, the index at which the best subsequence of a range of lesser numbers ends, as in a Fenwick tree.
  var ends = [Int](repeating: -1, count: numbers.count + 1)
  let ranks = ranks(of: numbers)
  for place in numbers.indices {
    var (last, index) = (-1, ranks[place])
    while index > 0 {
      if ends[index] >= 0, last < 0 || best[ends[index]] > best[last] { last = ends[index] }
      index &= index - 1
    }
    before[place] = last
    best.append((last < 0 ? 0 : best[last]) + 1 << 32 + (isAvoided[place] ? 0 : 1))
    index = ranks[place] + 1
    while index < ends.count {
      if ends[index] < 0 || best[place] > best[ends[index]] { ends[index] = place }
      index += index & -index
    }
  }
  var selection: [Int] = []
  var place = best.indices.max { best[$0] < best[$1] } ?? -1
  while place >= 0 {
    selection.append(place)
    place = before[place]
  }
  return selection.reversed()
}

/// For each of some distinct numbers, how many are less.
private func ranks(of numbers: [Int]) -> [Int] {
  var ranks = [Int](repeating: 0, count: numbers.count)
  for (rank, place) in numbers.indices.sorted(by: { numbers[$0] < numbers[$1] }).enumerated() { ranks[place] = rank }
  return ranks
}
