internal import Synchronization

/// What is decided about a proposal, and what came of it; between the threads of clients.
final class Decision: Sendable {
  enum Verdict: Equatable {
    case approved
    case refused(String)
    case withdrawn
  }

  /// What came of an approved save.
  enum Outcome: Equatable {
    case saved
    case failed(String)
  }

  private struct State {
    var verdict: Verdict?
    var decider = ""
    var outcome: Outcome?
    /// Wake the threads that wait for the verdict and for the outcome.
    var wakers: [WakePipe]
  }

  private let state: Mutex<State>

  /// A decision for which the thread of a pipe waits.
  init(_ waker: WakePipe) { state = Mutex(State(wakers: [waker])) }

  /// The verdict and whose it is; nil before there is one.
  var made: (verdict: Verdict, decider: String)? {
    state.withLock { state in state.verdict.map { ($0, state.decider) } }
  }

  /// What came of the save; nil before it has ended.
  var outcome: Outcome? { state.withLock { $0.outcome } }

  /// Decides; false if that has been done. The thread of `waker` is woken at the outcome.
  func make(_ verdict: Verdict, by decider: String, waker: WakePipe? = nil) -> Bool {
    state.withLock { state in
      guard state.verdict == nil else { return false }
      (state.verdict, state.decider) = (verdict, decider)
      for waker in state.wakers { waker.wake() }
      if let waker { state.wakers.append(waker) }
      return true
    }
  }

  /// Ends the save.
  func end(_ outcome: Outcome) {
    state.withLock { state in
      guard state.outcome == nil else { return }
      state.outcome = outcome
      for waker in state.wakers { waker.wake() }
    }
  }
}
