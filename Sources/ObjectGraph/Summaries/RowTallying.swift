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
  /// Copies of the last rows, a block for each column.
  private var blocks: [ColumnBlock] = []
  private var rows = 0

  /// From this many rows on, threads are worth their start.
  static let leastRows = 8192
  /// The most rows and bytes of a block.
  private static let (mostRows, mostBytes) = (4096, 1 << 20)

  init(_ columns: [StoredColumn], workers: Int = WorkerThread.most - 1) {
    (self.columns, self.workers) = (columns, min(workers, columns.count))
  }

  /// Counts a row, now or later.
  func add(_ row: RowCursor) {
    rows += 1
    guard team != nil else {
      for column in columns { column.add(row) }
      if rows == Self.leastRows, workers > 0 { begin() }
      return
    }
    var size = 0
    for index in columns.indices {
      columns[index].copy(row, to: &blocks[index])
      size += blocks[index].size
    }
    if rows == Self.mostRows || size > Self.mostBytes { hand() }
  }

  /// What the columns are like. Ends the counting.
  func summaries() -> [PropertySummary] {
    guard let team else { return columns.map { $0.summary() } }
    hand()
    let summaries = Summaries(count: columns.count)
    team.begin(columns.count) { [columns] in summaries.places[$0] = columns[$0].summary() }
    team.finish()
    return summaries.places.compactMap { $0 }
  }

  /// Ends the threads.
  func stop() { team?.stop() }

  private func begin() {
    team = WorkerTeam("perilune tally", workers: workers)
    blocks = columns.map { _ in ColumnBlock() }
    rows = 0
  }

  /// Has the last rows counted, once those before are.
  private func hand() {
    team?.finish()
    for index in columns.indices { columns[index].exchange(&blocks[index]) }
    team?.begin(columns.count) { [columns] in columns[$0].addBlock() }
    rows = 0
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
