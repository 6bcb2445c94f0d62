internal import Dispatch
internal import Synchronization

/// Threads that run numbered tasks, several at once, beside their owner, which helps them at the end.
///
///     let team = WorkerTeam("sums", workers: 2)
///     defer { team.stop() }
///     team.begin(10) { number in sums[number].add(parts[number]) }
///     readMore()
///     team.finish()
///
/// One task after the other sees what those before `begin` have done, whichever thread ran them. Only the owner calls its methods.
package final class WorkerTeam: Sendable {
  private let workers: Int
  /// How many tasks wait. The thread that lowers it from n runs task n - 1.
  private let waiting = Atomic(0)
  private let running = Atomic(0)
  private let stopped = Atomic(false)
  private let begun = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)
  /// The body of the tasks, which changes only while none waits or runs.
  nonisolated(unsafe) private var body: @Sendable (Int) -> Void = { _ in }
  nonisolated(unsafe) private var isBegun = false

  /// Starts the threads; they wait.
  package init(_ name: String, workers: Int) {
    self.workers = workers
    for _ in 0..<workers {
      WorkerThread.start(name) { [self] in
        while true {
          begun.wait()
          if stopped.load(ordering: .relaxed) { return }
          run()
        }
      }
    }
  }

  /// Has the threads run so many tasks, once those begun before are finished.
  package func begin(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    finish()
    guard count > 0 else { return }
    (self.body, isBegun) = (body, true)
    running.store(count, ordering: .relaxed)
    waiting.store(count, ordering: .releasing)
    for _ in 0..<min(workers, count) { begun.signal() }
  }

  /// Runs the tasks that wait, and returns when all have ended.
  package func finish() {
    guard isBegun else { return }
    run()
    done.wait()
    // Sees what all tasks have done.
    _ = running.load(ordering: .acquiring)
    (isBegun, body) = (false, { _ in })
  }

  /// Ends the threads after the tasks that they run now; those that wait are not run.
  package func stop() {
    stopped.store(true, ordering: .relaxed)
    waiting.store(0, ordering: .relaxed)
    for _ in 0..<workers { begun.signal() }
  }

  private func run() {
    while true {
      let task = waiting.subtract(1, ordering: .acquiring).newValue
      guard task >= 0 else { return }
      body(task)
      if running.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done.signal() }
    }
  }
}
