import SQLite
import Workers

/// When a store reads a table by several connections at once.
package struct Parallelism {
  /// How many connections read; with one or none, the store's own reads alone.
  package var workers = Self.processors
  /// A smaller file is read by the store's own connection, without a look at its tables.
  package var leastBytes: Int64 = 4 << 20
  /// In a larger file, an index that has all that is wanted is read by one connection rather than the table by several.
  package var mostUncoveredBytes: Int64 = 1 << 30
  /// From this many keys on, counted from the least to the greatest, a table is worth the opening of connections.
  package var leastKeys: UInt64 = 100_000
  /// The keys that a range has at least.
  package var leastRange = 1000
  /// How long a range of an index is read for each key of the table before the table itself is: about as long as that takes.
  package var secondsForEachKey = 30e-9

  /// Into how many ranges for each worker the keys are split at least.
  private static let rangesEach = 8
  /// The last ranges are smaller, down to this part of a worker's keys, so that all workers end at nearly the same time.
  private static let smallestPart: UInt64 = 128
  /// The keys of a range, at most, so that its groups are sorted in memory, and the number of ranges from which on they are longer.
  private static let mostKeys: UInt64 = 1 << 18
  private static let mostRanges = 4096
  /// The part of the file that is a range where rows wait for others, in bytes.
  private static let bytesOfRange: Int64 = 1 << 20
  /// A range with a group for fewer keys than this, and with more groups than a few, is one too many for several connections.
  static let keysForEachGroup = 4
  static let fewGroups = 128

  private static let processors = WorkerThread.most

  /// The ranges in which the keys are read; nil if there are too few.
  func ranges(of keys: ClosedRange<Int64>) -> [ClosedRange<Int64>]? {
    let count = UInt64(bitPattern: keys.upperBound &- keys.lowerBound)
    guard count >= leastKeys else { return nil }
    let workers = UInt64(workers)
    let number = max(workers * UInt64(Self.rangesEach), min(count / Self.mostKeys, UInt64(Self.mostRanges)))
    let (most, least) = (count / number + 1, max(count / (workers * Self.smallestPart), UInt64(leastRange)))
    return Self.split(keys) { left in max(min(left / (2 * workers), most), least) }
  }

  /// The ranges in which rows are read that become nearly as many bytes as they have in the file: some hundred kilobytes each, which
  /// wait for the ranges before.
  func ranges(of keys: ClosedRange<Int64>, bytes: Int64) -> [ClosedRange<Int64>]? {
    let count = UInt64(bitPattern: keys.upperBound &- keys.lowerBound)
    guard count >= leastKeys else { return nil }
    let number = max(workers * Self.rangesEach, Int(clamping: bytes / Self.bytesOfRange))
    let size = max(count / UInt64(number) + 1, UInt64(leastRange))
    return Self.split(keys) { _ in size }
  }

  /// Splits keys into ranges that follow each other. `size` is called with one less than the number of the keys that are left, which
  /// has a number even where all keys are, and returns how many of them the next range has, at least one.
  static func split(_ keys: ClosedRange<Int64>, _ size: (_ left: UInt64) -> UInt64) -> [ClosedRange<Int64>] {
    var ranges: [ClosedRange<Int64>] = []
    var start = keys.lowerBound
    while true {
      let left = UInt64(bitPattern: keys.upperBound &- start)
      let last = min(left, size(left) - 1)
      let end = start &+ Int64(bitPattern: last)
      ranges.append(start...end)
      if last == left { return ranges }
      start = end + 1
    }
  }

  /// How long an index is tried before these ranges are read.
  func seconds(for ranges: [ClosedRange<Int64>]) -> Double {
    guard let first = ranges.first, let last = ranges.last else { return 0 }
    return Double(UInt64(bitPattern: last.upperBound &- first.lowerBound)) * secondsForEachKey
  }
}
