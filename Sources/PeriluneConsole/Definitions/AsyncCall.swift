internal import Foundation
internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Synchronization

/// A call of an asynchronous closure of the program, for which the thread of a script waits.
///
/// The thread runs the closure's task meanwhile, as all threads of Swift's own executor may be waiting for scripts. Actors with an
/// executor of their own, such as the main actor, run their parts.
private final class AsyncCall<Result: Sendable>: TaskExecutor, Sendable {
  private struct State {
    var jobs: [UnownedJob] = []
    var result: Swift.Result<Result, any Error>?
    var isAwaited = true
  }

  private let state = Mutex(State())
  private let waker = WakePipe()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isAwaited = state.withLock { state in
      if state.isAwaited { state.jobs.append(job) }
      return state.isAwaited
    }
    if isAwaited { waker.wake() } else { globalConcurrentExecutor.enqueue(job) }
  }

  /// Ends the call.
  func end(_ result: Swift.Result<Result, any Error>) {
    state.withLock { $0.result = result }
    waker.wake()
  }

  /// Waits for the end of the call.
  ///
  /// - Throws: the closure's error; LuaError if the script is to stop.
  func wait(_ engine: Engine) throws -> Result {
    defer { leave() }
    while true {
      let (jobs, result) = state.withLock { state in
        defer { state.jobs = [] }
        return (state.jobs, state.result)
      }
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      if let result { return try result.get() }
      try engine.lua.checkInterrupt()
      // An interruption sets a flag, and wakes nothing.
      _ = DescriptorWait.wait(for: [waker.descriptor], seconds: 0.05)
      waker.drain()
    }
  }

  /// Gives what is left of a task that was not waited for to Swift's own executor.
  private func leave() {
    let left = state.withLock { state in
      state.isAwaited = false
      defer { state.jobs = [] }
      return state.jobs
    }
    for job in left { globalConcurrentExecutor.enqueue(job) }
  }
}

/// The queue of the main actor, which need not be on the first thread of the process.
private enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether what runs holds it up.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

/// Runs an asynchronous closure of the program, for which the thread of the script waits.
///
/// The limit of the script, an interruption and the end of its client end the waiting, and cancel the closure's task.
///
/// - Throws: ThrownError where the closure would wait for the script itself.
func awaiting<Result: Sendable>(
  _ place: String, _ isolation: (any Actor)?, _ engine: Engine, _ body: @escaping @Sendable () async throws -> Result
) throws -> Result {
  if isolation === MainActor.shared, MainQueue.isCurrent {
    throw ThrownError(message: "\(place): it runs on the main actor, whose thread waits for this script")
  }
  let call = AsyncCall<Result>()
  let task = Task.detached(executorPreference: call) {
    do { call.end(.success(try await body())) } catch { call.end(.failure(error)) }
  }
  defer { task.cancel() }
  return try call.wait(engine)
}
