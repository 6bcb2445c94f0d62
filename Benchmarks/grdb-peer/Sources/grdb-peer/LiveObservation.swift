/// GRDB's ValueObservation of rows: from before a write to the observer.

import Foundation
import GRDB

/// What is observed.
struct Observed<Row: Equatable & Sendable>: Sendable {
  /// Reads all of it, as GRDB does after each commit that touches its columns.
  var fetch: @Sendable (Database) throws -> [Row]
  /// The step to take, by its place.
  var step: @Sendable (Int) -> Int
  /// Whether the rows depend on the depth of earthquakes.
  var readsDepth: Bool
}

/// The keys of `magnitude >= 2 ORDER BY time`.
let observedKeys = Observed<Int64>(
  fetch: { try Int64.fetchAll($0, sql: "SELECT _pk FROM quake WHERE magnitude >= 2 ORDER BY time, _pk") },
  step: { $0 }, readsDepth: false)

/// What is told of a day.
struct Day: Equatable, Sendable, FetchableRecord {
  var day: String
  var count: Int
  var magnitude: Double
  var depth: Double

  init(row: Row) { (day, count, magnitude, depth) = (row[0], row[1], row[2], row[3]) }
}

/// Groups by day, which know nothing of times.
let observedDays = Observed<Day>(
  fetch: {
    try Day.fetchAll($0, sql: "SELECT day, count(*), sum(magnitude), avg(depth) FROM quake GROUP BY day ORDER BY day")
  }, step: { $0 / 4 * 5 + ($0 % 4 == 0 ? 0 : $0 % 4 + 1) }, readsDepth: true)

/// Observes on the main queue, as an application does, and measures each change of one row.
final class LiveObservation<Row: Equatable & Sendable> {
  private let observed: Observed<Row>
  private let store: any DatabaseWriter
  private var rows: [Row] = []
  private var values = 0
  private var cancellable: AnyDatabaseCancellable?

  init(_ observed: Observed<Row>, _ path: String, isPool: Bool) throws {
    self.observed = observed
    var configuration = Configuration()
    configuration.journalMode = .wal
    configuration.prepareDatabase {
      try $0.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824")
    }
    store =
      isPool
      ? try DatabasePool(path: path, configuration: configuration)
      : try DatabaseQueue(path: path, configuration: configuration)
  }

  @MainActor
  func measure(_ operations: Int) throws {
    // The first pass fills the page cache, so that what is counted is the observed value.
    _ = try store.read { try Double.fetchOne($0, sql: "SELECT sum(magnitude + time) FROM quake NOT INDEXED") }
    mark("begin")
    let before = residentBytes()
    let first = try start()
    let bytes = Double(residentBytes() - before) / Double(rows.count)
    var times = try changes(operations)
    guard try store.read(observed.fetch) == rows else {
      throw DatabaseError(message: "the observed rows are not what a fresh SELECT gives")
    }
    times.sort()
    let facts = [
      "median": times[times.count / 2], "p99": times[times.count * 99 / 100], "max": times[times.count - 1],
      "load": first, "bytes": bytes,
    ]
    tell(facts)
  }

  /// Seconds to the first value.
  @MainActor
  private func start() throws -> Double {
    let observation = ValueObservation.tracking(observed.fetch)
    let begun = now()
    var failure: (any Error)?
    cancellable = observation.start(in: store, scheduling: .immediate) {
      failure = $0
    } onChange: { [unowned self] in
      rows = $0
      values += 1
    }
    if let failure { throw failure }
    return now() - begun
  }

  @MainActor
  private func changes(_ operations: Int) throws -> [Double] {
    var steps = try store.read { try LiveSteps($0) }
    var times: [Double] = []
    for index in 0..<operations {
      let step = try store.read { try steps.choose(observed.step(index), $0) }
      let told = values
      let begun = now()
      try store.write { try $0.execute(sql: step.sql, arguments: step.arguments) }
      // GRDB sees that no row depends on the column, and tells nothing.
      guard step.changesMore || observed.readsDepth else { continue }
      while values == told { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
      times.append(now() - begun)
    }
    return times
  }

  private func tell(_ facts: [String: Double]) {
    let sorted = facts.sorted { $0.key < $1.key }
    mark("end " + sorted.map { "\($0.key)=" + String(format: "%.9f", $0.value) }.joined(separator: " "))
    print("{" + sorted.map { "\"\($0.key)\": " + String(format: "%.9f", $0.value) }.joined(separator: ", ") + "}")
  }
}

private func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

private func residentBytes() -> Int {
  let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
  return words.count > 1 ? (Int(words[1]) ?? 0) * Int(getpagesize()) : 0
}
