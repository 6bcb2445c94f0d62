internal import CSQLite
internal import Dispatch
package import Modeling
package import StoreErrors
internal import Workers

/// A large table read by several connections at once, each on a thread of its own and in other ranges of the key.
///
/// The threads know their connections, SQL and SQLite's values, and nothing else. All connections see one snapshot. The thread that
/// began the scan waits for them and stops them when it is interrupted.
package struct ParallelScan {
  private let connection: Connection
  private let count: Int
  private let functions: (Connection) -> Void

  /// A scan of the connection's file with this number of workers, whose connections get these functions.
  package init(_ connection: Connection, workers count: Int, _ functions: @escaping (Connection) -> Void) {
    (self.connection, self.count, self.functions) = (connection, count, functions)
  }

  /// Runs a SELECT for each range and returns its rows in the order of the ranges; nil where one connection should run it instead:
  /// where there is no snapshot to share, where a worker failed, and where a range has more than `mostRows` rows.
  ///
  /// The ranges are bound to `:from` and `:to`, and `values` to the other parameters.
  ///
  /// - Throws: StoreError `.interrupted` alone. What makes a worker fail, the other way meets too, and tells in its own words.
  package func rows(
    _ sql: String, _ values: [Value], _ ranges: [ClosedRange<Int64>], mostRows: Int = .max
  ) throws(StoreError) -> [ScannedRows]? {
    let work = ScanWork(ranges, mostRows: mostRows)
    // Nothing uses the store's connection meanwhile.
    guard let (snapshot, workers) = open(sql, values, work, sharesMap: true) else { return nil }
    defer { snapshot.close() }
    let ended = start(workers) { $0.readRows(work) }
    let isInterrupted = wait(for: workers, ended, work)
    if isInterrupted { throw StoreError(.interrupted, path: connection.path) }
    if work.isStopped { return nil }
    return workers.flatMap(\.parts).sorted { $0.range < $1.range }.map(\.rows)
  }

  /// Opens the workers' connections and compiles their statements; nil where one connection should run the statement instead.
  private func open(
    _ sql: String, _ values: [Value], _ work: ScanWork, sharesMap: Bool = false
  ) -> (snapshot: SharedSnapshot, workers: [ScanWorker])? {
    let options = Connection.Options(readOnly: true, busyTimeout: 0, isInterrupted: { work.isStopped })
    guard let snapshot = try? connection.openSnapshot(count, options, sharesMap: sharesMap) else { return nil }
    for connection in snapshot.connections { connection.addFunctions = functions }
    if let workers = try? snapshot.connections.map({ try ScanWorker($0, sql, values) }) { return (snapshot, workers) }
    snapshot.close()
    return nil
  }

  /// Starts a thread for each worker, which signals its end.
  private func start(_ workers: [ScanWorker], _ body: @escaping @Sendable (ScanWorker) -> Void) -> DispatchSemaphore {
    let ended = DispatchSemaphore(value: 0)
    for worker in workers {
      WorkerThread.start("perilune scan") {
        body(worker)
        ended.signal()
      }
    }
    return ended
  }

  /// Waits until all have ended; returns whether they were interrupted.
  private func wait(for workers: [ScanWorker], _ ended: DispatchSemaphore, _ work: ScanWork) -> Bool {
    var isInterrupted = false
    for _ in workers {
      while ended.wait(timeout: .now() + .milliseconds(10)) == .timedOut {
        guard !isInterrupted, connection.isInterrupted() else { continue }
        isInterrupted = true
        work.stop()
      }
    }
    return isInterrupted
  }
}

extension ParallelScan {
  /// Reads the rows of a statement and hands on the bytes that it makes of them, with the number of rows since the last time, until
  /// `put` returns false. It checks the statement in.
  package typealias PieceReader =
    @Sendable (_ rows: Statement, _ put: (_ bytes: [UInt8], _ rows: Int) -> Bool) throws -> Void

  /// With a lower limit of memory, in bytes, what several threads hold might be too much.
  private static let leastMemory = 16 << 20

  /// Has `read` make bytes of a SELECT's rows on the workers' threads, and calls `deliver` on this thread with these bytes, in the
  /// order of the ranges. Returns false, before it delivers anything, where one connection should run the statement instead.
  ///
  /// Some megabytes are held at a time.
  ///
  /// - Throws: what `read` or `deliver` throws first in the order of the ranges, StoreError `.interrupted`.
  package func pieces(
    _ sql: String, _ values: [Value], _ ranges: [ClosedRange<Int64>], _ read: @escaping PieceReader,
    _ deliver: (_ bytes: [UInt8], _ rows: Int) throws -> Void
  ) throws -> Bool {
    if let limit = SQLiteMemory.limit, limit < Self.leastMemory { return false }
    let (work, pieces) = (ScanWork(ranges, mostRows: .max), OrderedPieces(most: SQLiteMemory.share(8 << 20)))
    guard let (snapshot, workers) = open(sql, values, work) else { return false }
    defer { snapshot.close() }
    let ended = start(workers) { $0.makePieces(work, pieces, read) }
    defer {
      work.stop()
      pieces.stop()
      for _ in workers { ended.wait() }
    }
    var left = ranges.count
    while left > 0 {
      switch pieces.take(within: 0.01) {
      case .bytes(let bytes, let rows): try deliver(bytes, rows)
      case .end: left -= 1
      case .failure(let error): throw error
      case nil: break
      }
      if connection.isInterrupted() { throw StoreError(.interrupted, path: connection.path) }
    }
    return true
  }
}
