/// The places of the old images of rows that a transaction has touched, by row id.
///
/// Images are added one behind the other. Rows that come in ascending order, as those of most batches and saves do, are found
/// by a binary search among 16 bytes each; an index is made only when they do not.
struct OldImages {
  private var rows: [Int64] = []
  /// Where each image ends, and the next one begins.
  private var ends: [Int] = []
  /// The number of each row, once one has come that is not behind the last.
  private var numbers: [Int64: Int]?

  /// The number of rows.
  var count: Int { rows.count }

  /// Whether there are no rows.
  var isEmpty: Bool { rows.isEmpty }

  /// Whether a row has an image.
  func contains(_ row: Int64) -> Bool {
    guard let last = rows.last else { return false }
    if let numbers { return numbers[row] != nil }
    if row >= last { return row == last }
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] < row { low = middle + 1 } else { high = middle }
    }
    return rows[low] == row
  }

  /// Adds a row that has none, whose image was added to the others and ends there.
  mutating func append(_ row: Int64, end: Int) {
    if numbers == nil, let last = rows.last, row < last {
      numbers = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1, $0) })
    }
    numbers?[row] = rows.count
    rows.append(row)
    ends.append(end)
  }

  /// Removes all rows.
  mutating func removeAll(keepingCapacity: Bool) {
    rows.removeAll(keepingCapacity: keepingCapacity)
    ends.removeAll(keepingCapacity: keepingCapacity)
    numbers = nil
  }

  /// The rows in ascending order, with the places of their images.
  var ascending: some Sequence<(row: Int64, place: Range<Int>)> {
    let order = numbers.map { _ in rows.indices.sorted { rows[$0] < rows[$1] } }
    return rows.indices.lazy.map { [rows, ends] index in
      let number = order?[index] ?? index
      return (rows[number], (number == 0 ? 0 : ends[number - 1])..<ends[number])
    }
  }
}
