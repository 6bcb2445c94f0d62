internal import Modeling
public import Queries
internal import Stores

/// A fetch or count that exceeded the time limit for slow reads.
public struct SlowRead: Sendable {
  /// The kind of read.
  public let request: FetchRequest
  /// The time the store took, in seconds.
  public let seconds: Double
  /// The number of rows scanned in tables and indexes.
  public let rowsScanned: Int

  /// The time limit for slow reads, and the observer of those that exceed it.
  public struct Watch {
    /// In seconds.
    public var limit: Double
    /// Called for each slow read.
    public var tell: (SlowRead) -> Void

    /// Calls `tell` with reads that take longer than `limit` seconds.
    public init(limit: Double, tell: @escaping (SlowRead) -> Void) {
      self.limit = limit
      self.tell = tell
    }
  }
}

extension ObjectContext {
  /// Runs a read and reports it if it was slow.
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

/// Measures the time of a cursor's steps, without the time between them.
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

  /// Reports the read if it was slow.
  func finish(rowsScanned: Int) {
    if seconds > watch.limit {
      watch.tell(SlowRead(request: request, seconds: seconds, rowsScanned: rowsScanned))
    }
  }
}
