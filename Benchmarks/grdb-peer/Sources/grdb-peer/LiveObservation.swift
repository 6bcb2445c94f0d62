/// GRDB's ValueObservation of the keys of `magnitude >= 2 ORDER BY time`: from before a write to the observer.

import Foundation
import GRDB

/// Observes on the main queue, as an application does, and measures each change of one row.
final class LiveObservation {
  private let store: any DatabaseWriter
  private var keys: [Int64] = []
  private var values = 0
  private var cancellable: AnyDatabaseCancellable?

  private static let sql = "SELECT _pk FROM quake WHERE magnitude >= 2 ORDER BY time, _pk"

  init(_ path: String, isPool: Bool) throws {
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
    let bytes = Double(residentBytes() - before) / Double(keys.count)
    var times = try changes(operations)
    guard try store.read({ try Int64.fetchAll($0, sql: Self.sql) }) == keys else {
      throw DatabaseError(message: "the observed keys are not what a fresh SELECT gives")
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
    let observation = ValueObservation.tracking { try Int64.fetchAll($0, sql: Self.sql) }
    let begun = now()
    var failure: (any Error)?
    cancellable = observation.start(in: store, scheduling: .immediate) {
      failure = $0
    } onChange: { [unowned self] in
      keys = $0
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
      let step = try store.read { try steps.choose(index, $0) }
      let told = values
      let begun = now()
      try store.write { try $0.execute(sql: step.sql, arguments: step.arguments) }
      // GRDB sees that no key depends on the column, and tells nothing.
      guard step.isTold else { continue }
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
