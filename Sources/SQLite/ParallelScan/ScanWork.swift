internal import Synchronization

/// What the threads of a parallel scan share: the ranges of keys, which of them are taken, and whether to stop.
final class ScanWork: Sendable {
  let ranges: [ClosedRange<Int64>]
  /// A range that has more rows than this stops the scan: putting them together would take as long as finding them.
  let mostRows: Int
  private let taken = Atomic(0)
  private let stopped = Atomic(false)

  init(_ ranges: [ClosedRange<Int64>], mostRows: Int) { (self.ranges, self.mostRows) = (ranges, mostRows) }

  var isStopped: Bool { stopped.load(ordering: .relaxed) }

  /// Has all workers end within a thousand steps of their statements.
  func stop() { stopped.store(true, ordering: .relaxed) }

  /// The number of a range for a worker; nil if none is left.
  func next() -> Int? {
    let number = taken.add(1, ordering: .relaxed).oldValue
    return number < ranges.count && !isStopped ? number : nil
  }
}
