import Foundation
import Synchronization
import Testing

@testable import Workers

@Suite struct WorkerTeamTests {
  /// Numbers that tasks change, each its own.
  private final class Counts: @unchecked Sendable {
    let counts = UnsafeMutableBufferPointer<Int>.allocate(capacity: 40)

    init() { counts.initialize(repeating: 0) }
    deinit { counts.deallocate() }
  }

  @Test(arguments: [0, 1, 3]) func eachTaskRunsOnceAndSeesWhatFormerTasksHaveDone(workers: Int) {
    let team = WorkerTeam("test", workers: workers)
    defer { team.stop() }
    let counts = Counts()
    for round in 0..<300 {
      team.begin(20) { counts.counts[$0] += 1 }
      // It waits for the former tasks.
      team.begin(20) { counts.counts[39 - $0] = counts.counts[$0] }
      team.finish()
      #expect(counts.counts.allSatisfy { $0 == round + 1 })
    }
  }

  @Test func aTeamWithoutTasksAndOneThatStopsAmidThemEnd() {
    let team = WorkerTeam("test", workers: 2)
    team.begin(0) { _ in }
    team.finish()
    let ran = Atomic(0)
    team.begin(1000) { _ in ran.add(1, ordering: .relaxed) }
    team.stop()
    #expect(ran.load(ordering: .relaxed) <= 1000)
  }

  @Test func aThreadTakesNoSignalsButThoseOfFaults() {
    let blocked = Atomic(0)
    WorkerThread.start("test") {
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      blocked.store(sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGBUS) == 0 ? 1 : -1, ordering: .releasing)
    }
    while blocked.load(ordering: .acquiring) == 0 { sched_yield() }
    #expect(blocked.load(ordering: .acquiring) == 1)
  }

  @Test func theProcessorsAreThoseThatTheThreadMayUse() throws {
    let status = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") })
    let digits = line.dropFirst("Cpus_allowed:".count).compactMap(\.hexDigitValue)
    #expect(WorkerThread.usableProcessors == digits.reduce(0) { $0 + $1.nonzeroBitCount })
  }
}
