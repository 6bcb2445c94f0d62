internal import Glibc
public import Queries
internal import Storage

/// A fetch or a count that took longer than people like to wait.
public struct SlowRead: Sendable {
  /// What was asked for.
  public let request: FetchRequest
  /// How long the store took.
  public let seconds: Double
  /// How many rows it stepped over in scans of tables and indexes.
  public let rowsScanned: Int

  /// From what time on a read is slow, and who is told of it.
  public struct Watch {
    /// In seconds.
    public var limit: Double
    /// Told of each slow read.
    public var tell: (SlowRead) -> Void

    /// Tells `tell` of reads that take longer than `limit` seconds.
    public init(limit: Double, tell: @escaping (SlowRead) -> Void) {
      self.limit = limit
      self.tell = tell
    }
  }
}

extension ObjectContext {
  /// Reads what a request asks for, and tells of it if that was slow.
  public func watched<Result>(_ request: FetchRequest, _ read: () throws -> Result) rethrows -> Result {
    guard let watch = slowReadWatch else { return try read() }
    let start = monotonicSeconds()
    store.lastScan = 0
    let result = try read()
    let seconds = monotonicSeconds() - start
    if seconds > watch.limit {
      watch.tell(SlowRead(request: request, seconds: seconds, rowsScanned: store.lastScan))
    }
    return result
  }
}

/// The time of a cursor's steps, what happens between them left out.
struct ReadClock {
  let watch: SlowRead.Watch
  let request: FetchRequest
  private var seconds = 0.0

  init?(_ context: ObjectContext, _ request: FetchRequest) {
    guard let watch = context.slowReadWatch else { return nil }
    self.watch = watch
    self.request = request
  }

  mutating func measure<Result>(_ step: () throws -> Result) rethrows -> Result {
    let start = monotonicSeconds()
    defer { seconds += monotonicSeconds() - start }
    return try step()
  }

  /// Tells of the read if it was slow.
  func finish(rowsScanned: Int) {
    if seconds > watch.limit {
      watch.tell(SlowRead(request: request, seconds: seconds, rowsScanned: rowsScanned))
    }
  }
}

/// Seconds of a clock that never goes back.
private func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
