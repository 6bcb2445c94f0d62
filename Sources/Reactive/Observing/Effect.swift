/// A function that runs again when anything it has read changes.
///
///     let minimum = State(5)
///     let effect = Effect(turn, name: "list") { print(minimum.value) }     // prints 5
///     minimum.value = 6
///     minimum.value = 7
///     try turn.run()                                                       // prints 7
///
/// The cycle: an effect runs when it is created, and its reads are tracked. A change of anything it has read enqueues one
/// run for the next round of its turn, however many changes follow. Each run replaces the tracked reads. Effects created
/// during a run are part of it: they end when it runs again. If an effect keeps changing its own sources, the turn ends it
/// with an error that names it.
///
/// Properties of classes with Swift's `@Observable` are followed, too. They may be set on any thread; a turn of the
/// effect's own thread runs it again.
///
/// An effect lives as long as its sources, or until it is cancelled; releasing it does not cancel it. A function that
/// retains its sources makes a retain cycle: cancel the effect.
public final class Effect {
  private let turn: Turn
  private let order: Int
  private let name: () -> String
  private var body: (() -> Void)?
  private weak var tracking: Tracking?
  /// Looks for changes of the `@Observable` classes that the last run read; nil if it read none.
  private var preparation: ObservationToken?
  private var parts: [Effect] = []
  private var isRunning = false
  private var changedMeanwhile = false
  /// The turn's drop count when a run was requested; the run is pending while the count is the same.
  private var awaited: Int?

  /// Creates the effect and runs it.
  @discardableResult
  public init(_ turn: Turn, name: @autoclosure @escaping () -> String = "effect", _ body: @escaping () -> Void) {
    self.turn = turn
    self.name = name
    self.body = body
    order = turn.nextOrder()
    Tracking.current?.effect?.parts.append(self)
    run()
  }

  /// Whether the effect still runs after changes.
  public var isActive: Bool { body != nil }

  /// Ends the effect, and the effects that are part of it.
  public func cancel() {
    body = nil
    tracking?.forget()
    stopFollowingObservables()
    endParts()
  }

  private func run() {
    guard let body else { return }
    tracking?.forget()
    endParts()
    let tracking = Tracking(effect: self) { self.sourceDidChange() }
    self.tracking = tracking
    stopFollowingObservables()
    isRunning = true
    let observables = ObservableReads()
    tracking.track { observables.track(for: turn, body) }
    isRunning = false
    if isActive, !observables.areGone { follow(observables) }
    if !isActive {
      tracking.forget()
      endParts()
    } else if changedMeanwhile {
      askForRun()
    }
    changedMeanwhile = false
  }

  private func sourceDidChange() {
    if isRunning { changedMeanwhile = true } else { askForRun() }
  }

  private func askForRun() {
    // A run that waits already reports the changes of the thread's transaction, too.
    TransactionScope.join(turn, reportsEarlier: false)
    guard awaited != turn.dropCount else { return }
    awaited = turn.dropCount
    turn.enqueue(order: order, name: self.name()) { [self] in
      awaited = nil
      run()
    }
  }

  /// Asks at the beginning of each round whether an `@Observable` object has changed.
  private func follow(_ observables: ObservableReads) {
    preparation = turn.addPreparation { [self] in
      guard observables.haveChanged || observables.areGone else { return }
      stopFollowingObservables()
      if observables.haveChanged { askForRun() }
    }
  }

  private func stopFollowingObservables() {
    preparation?.cancel()
    preparation = nil
  }

  private func endParts() {
    let ended = parts
    parts = []
    for part in ended { part.cancel() }
  }
}
