internal import Reactive

/// The observers of live results.
final class ResultsObservers {
  private var observers: [(order: Int, name: String, body: (ResultsChange) -> Void)] = []
  private let turn: Turn
  /// The name in messages of the results, and of observers without a name of their own.
  let name: String
  /// Whether an observer asks for the former values of updated objects.
  var wantsFormerValues = false
  /// Called when the first observer is added or the last one removed.
  var onInterest: (Bool) -> Void = { _ in }

  init(_ turn: Turn, name: String) {
    self.turn = turn
    self.name = name
  }

  /// Whether there are no observers.
  var isEmpty: Bool { observers.isEmpty }

  /// Calls `body`, named `name` in messages, for each change until the token is cancelled.
  func add(_ name: String?, _ body: @escaping (ResultsChange) -> Void) -> ObservationToken {
    let order = turn.nextOrder()
    observers.append((order, name ?? self.name, body))
    if observers.count == 1 { onInterest(true) }
    return ObservationToken { [weak self] in self?.remove(order) }
  }

  /// Ends all observations.
  func removeAll() {
    guard !observers.isEmpty else { return }
    // Releasing a body may release its captures, which may end other observations.
    let ended = observers
    observers = []
    onInterest(false)
    withExtendedLifetime(ended) {}
  }

  /// Enqueues calls of all observers in the current round.
  func tell(_ change: ResultsChange) {
    for (order, name, body) in observers {
      turn.enqueue(order: order, name: name) { [weak self] in
        // An earlier call may have ended this observation.
        guard self?.observers.contains(where: { $0.order == order }) == true else { return }
        body(change)
      }
    }
  }

  private func remove(_ order: Int) {
    guard let place = observers.firstIndex(where: { $0.order == order }) else { return }
    let ended = observers.remove(at: place)
    if observers.isEmpty { onInterest(false) }
    withExtendedLifetime(ended) {}
  }
}
