/// A function that runs again when anything it has read changes.
///
///     let minimum = State(5)
///     let effect = Effect(turn, name: "list") { print(minimum.value) }     // prints 5
///     minimum.value = 6
///     minimum.value = 7
///     try turn.run()                                                       // prints 7
///
/// It runs when it is made, and then at most once in each round of its turn, however much of what it reads has changed.
/// What it reads is found anew each time. Effects that are made while it runs are part of it: they end when it runs
/// again. One that goes on changing what it reads is ended by the turn, which names it.
///
/// An effect lives as long as what it has read, or until it is cancelled; dropping it cancels nothing. One whose
/// function holds what it reads is such a circle: cancel it.
public final class Effect {
  private let turn: Turn
  private let order: Int
  private let name: () -> String
  private var body: (() -> Void)?
  private weak var tracking: Tracking?
  private var parts: [Effect] = []
  private var isRunning = false
  private var changedMeanwhile = false
  /// The turn's count of drops when a run was asked for; it is still to come as long as the count is the same.
  private var awaited: Int?

  /// Makes the effect and runs it.
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

  /// Ends it, and the effects that are part of it.
  public func cancel() {
    body = nil
    tracking?.forget()
    endParts()
  }

  private func run() {
    guard let body else { return }
    tracking?.forget()
    endParts()
    let tracking = Tracking(effect: self) { self.sourceDidChange() }
    self.tracking = tracking
    isRunning = true
    tracking.track(body)
    isRunning = false
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
    guard awaited != turn.dropCount else { return }
    awaited = turn.dropCount
    turn.enqueue(order: order, name: self.name()) { [self] in
      awaited = nil
      run()
    }
  }

  private func endParts() {
    let ended = parts
    parts = []
    for part in ended { part.cancel() }
  }
}
