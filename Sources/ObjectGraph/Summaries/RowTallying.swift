internal import Stores
internal import Workers

/// Counts columns of rows. From some thousand rows on, threads count copies of the values while the next rows are read.
///
/// Each column is counted by one thread at a time and in the order of the rows, so that the summary does not depend on the threads.
final class RowTallying {
  private let columns: [StoredColumn]
  private let workers: Int
  /// The team, once there are enough rows.
  private var team: WorkerTeam?
  /// Copies of the last rows. They stand apart from the columns, which other threads change meanwhile.
  private var copies: [ColumnCopy]
  /// The rows that are copied, and those that were handed on.
  private var (rows, counted) = (0, 0)

  /// From this many rows on, threads are worth their start.
  static let leastRows = 8192
  /// The most rows and bytes of a block.
  private static let (mostRows, mostBytes) = (4096, 1 << 20)

  init(_ columns: [StoredColumn], workers: Int = WorkerThread.most - 1) {
    (self.columns, self.workers) = (columns, min(workers, columns.count))
    copies = columns.map { ColumnCopy(of: $0) }
  }

  /// Counts a row, now or later.
  func add(_ row: RowCursor) {
    let size = copies.withUnsafeMutableBufferPointer { copies in
      var size = 0
      for index in copies.indices {
        copies[index].append(row)
        size += copies[index].block.size
      }
      return size
    }
    rows += 1
    if rows == Self.mostRows || size > Self.mostBytes { hand() }
  }

  /// What the columns are like. Ends the counting.
  func summaries() -> [PropertySummary] {
    hand()
    let summaries = Summaries(count: columns.count)
    run { [columns] in summaries.places[$0] = columns[$0].summary() }
    team?.finish()
    return summaries.places.compactMap { $0 }
  }

  /// Ends the threads.
  func stop() { team?.stop() }

  /// Has the last rows counted, once those before are.
  private func hand() {
    team?.finish()
    for index in columns.indices { columns[index].exchange(&copies[index].block) }
    counted += rows
    rows = 0
    if team == nil, counted >= Self.leastRows, workers > 0 { team = WorkerTeam("perilune tally", workers: workers) }
    run { [columns] in columns[$0].addBlock() }
  }

  /// Runs a task for each column: by the team, if there is one.
  private func run(_ task: @escaping @Sendable (Int) -> Void) {
    guard let team else { return columns.indices.forEach(task) }
    team.begin(columns.count, task)
  }
}

/// What tasks have found, each at its own place.
private final class Summaries: @unchecked Sendable {
  let places: UnsafeMutableBufferPointer<PropertySummary?>

  init(count: Int) {
    places = .allocate(capacity: count)
    places.initialize(repeating: nil)
  }

  deinit { places.deinitialize().deallocate() }
}
