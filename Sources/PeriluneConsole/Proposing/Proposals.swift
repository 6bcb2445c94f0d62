internal import Synchronization

/// The proposals of all clients of a console that wait for a decision.
final class Proposals: Sendable {
  private struct State {
    var lastNumber = 0
    var open: [ConsoleProposal] = []
    /// Wake the clients that are shown new proposals.
    var watchers: [ObjectIdentifier: WakePipe] = [:]
  }

  private let state = Mutex(State())

  /// Those that are undecided, by number.
  var open: [ConsoleProposal] { state.withLock { $0.open.filter { $0.decision.made == nil } } }

  /// Adds a proposal of a client.
  func add(of attachment: Attachment, _ userName: String, _ line: String, _ diff: String) -> ConsoleProposal {
    state.withLock { state in
      state.lastNumber += 1
      let proposal = ConsoleProposal(
        number: state.lastNumber, client: attachment.number, userName: userName, line: line, diff: diff,
        decision: Decision(attachment.waker))
      state.open.append(proposal)
      for (key, waker) in state.watchers where key != ObjectIdentifier(attachment) { waker.wake() }
      return proposal
    }
  }

  func remove(_ proposal: ConsoleProposal) {
    state.withLock { $0.open.removeAll { $0.number == proposal.number } }
  }

  /// Wakes the thread of a client when there is a new proposal of another.
  func watch(_ attachment: Attachment) {
    state.withLock { $0.watchers[ObjectIdentifier(attachment)] = attachment.waker }
  }

  func endWatch(_ attachment: Attachment) {
    state.withLock { $0.watchers[ObjectIdentifier(attachment)] = nil }
  }
}
