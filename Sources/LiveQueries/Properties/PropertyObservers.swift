internal import Modeling
internal import ObjectGraph
internal import Reactive

/// The observers of a live property, independent of its current results.
final class PropertyObservers {
  private var observers: [Observer] = []
  private var results: FetchedResults?
  /// Functions that end the streams of changes.
  private var endings: [() -> Void] = []

  /// One observer.
  private final class Observer {
    private let body: (ResultsChange) -> Void
    /// Its observation of the current results; nil if there are none.
    private var observation: ResultsObservation?
    private var isCancelled = false

    init(_ body: @escaping (ResultsChange) -> Void) { self.body = body }

    func tell(_ change: ResultsChange) { if !isCancelled { body(change) } }

    /// Moves the observation to other results.
    func observe(_ results: FetchedResults?) {
      observation?.leave()
      observation = results.map { ResultsObservation($0, tell) }
    }

    func cancel() {
      isCancelled = true
      observation?.cancel()
    }
  }

  deinit { finishStreams() }

  /// Calls `body` for each change until the token is cancelled.
  func add(_ body: @escaping (ResultsChange) -> Void) -> ObservationToken {
    let observer = Observer(body)
    observers.append(observer)
    observer.observe(results)
    return ObservationToken { [weak self] in
      observer.cancel()
      self?.observers.removeAll { $0 === observer }
    }
  }

  /// Returns the changes as a stream that ends with the property.
  func stream() -> AsyncStream<ResultsChange> {
    let (stream, finish) = AsyncStream.changes(add)
    endings.append(finish)
    return stream
  }

  /// Moves on to other results; the next round reports the difference.
  ///
  /// Rows of the same store are the same rows in another context, although their objects may have other unsaved values.
  /// Rows of another store are different rows: observers receive the deletion of all rows, then the new ones.
  func move(from old: FetchedResults?, to new: FetchedResults?) {
    results = new
    guard !observers.isEmpty else { return }
    if let old, new.map(old.hasRows) != true { tellGone(old, by: new ?? old) }
    if let new {
      if let old, old.hasRows(in: new) {
        new.untoldFrom = old.shownLast
        new.needsReload = true
      } else {
        new.untoldFrom = .nothing
      }
    }
    for observer in observers { observer.observe(new) }
  }

  /// Ends all observations.
  func close() {
    for observer in observers { observer.cancel() }
    observers = []
    finishStreams()
  }

  private func finishStreams() {
    for ending in endings { ending() }
    endings = []
  }

  /// Reports the deletion of all rows of `old`, before anything that the turn of `results` reports later.
  private func tellGone(_ old: FetchedResults, by results: FetchedResults) {
    var comparison = ShownRowsComparison(former: old.shownLast, present: .nothing, rekeyed: [:])
    var change = ResultsChange(.configuration, comparison.difference(updated: []), entity: old.request.entity)
    change.transaction.animation = old.animation
    guard !change.isEmpty else { return }
    let turn = results.live.liveStore.turn
    for observer in observers {
      turn.enqueue(order: turn.nextOrder(), name: "\(old.request.entity.name):live") {
        observer.tell(change)
      }
    }
  }
}

/// An observation of a property's current results, until the property moves on to others.
private final class ResultsObservation {
  private let turn: Turn
  private var token: ObservationToken?
  /// The round of the turn in which the property moved on.
  private var lastRound: Int?

  init(_ results: FetchedResults, _ body: @escaping (ResultsChange) -> Void) {
    turn = results.live.liveStore.turn
    token = results.onChange { [self] change in
      if lastRound == nil || turn.isRunning && turn.round == lastRound { body(change) }
    }
  }

  /// Ends the observation.
  func cancel() { token?.cancel() }

  /// Ends the observation after the changes of this round, which belong to the results.
  func leave() {
    guard turn.isRunning else { return cancel() }
    lastRound = turn.round
    turn.enqueue(order: turn.nextOrder(), name: "a property") { self.cancel() }
  }
}

extension FetchedResults {
  /// Whether a key means the same row in both results. For unsaved objects that requires a common parent context.
  fileprivate func hasRows(in other: FetchedResults) -> Bool {
    guard live.liveStore.store === other.live.liveStore.store, request.entity === other.request.entity else {
      return false
    }
    if live.context.outermost === other.live.context.outermost { return true }
    return !shownLast.keys.contains { $0 <= ObjectID.temporaryLimit }
  }

  /// The state that observers received last.
  fileprivate var shownLast: Arrangement.ShownRows { untoldFrom ?? state.snapshot() }
}

extension Arrangement.ShownRows {
  /// No rows.
  fileprivate static var nothing: Self { Self(Arrangement(ArrangedRows())) }
}
