/// The notifications that are due before a turn ends, delivered in rounds until none are left.
///
///     let turn = Turn()
///     turn.addPreparation { findWhatChanged() }            // enqueues deliveries
///     turn.enqueue(order: turn.nextOrder(), name: "totals") { print("changed") }
///     try turn.run()
///
/// A run repeats one cycle. Each round first calls the preparations, which look for changes and enqueue deliveries. It
/// then takes the queue and calls the deliveries in the order in which their observers were added. The next round's
/// preparations find the changes that a delivery makes. The run ends when a round has no deliveries; after `mostRounds`
/// rounds it throws. A run that is interrupted keeps the remaining deliveries for the next run, so that no observer of
/// differences misses one. Deliveries report their own errors.
///
/// The state, and what changes it:
/// - `preparations`: `addPreparation` and the token that it returns.
/// - `deliveries`: grows by `enqueue`, which preparations and observers call; `run` empties it unless it is interrupted.
/// - `isRunning` and `round`: `run` alone. `isRunning` keeps an observer from starting a second run.
/// - `transaction` and `isInTransaction`: `with`, `withTransaction` and `TransactionScope`, which restore them.
public final class Turn {
  /// The number of rounds after which a run counts as endless.
  public static let mostRounds = 100

  private struct Delivery {
    var order: Int
    var name: () -> String
    var body: () -> Void
  }

  private struct Preparation {
    var id: Int
    var body: () -> Void
  }

  private var preparations: [Preparation] = []
  private var deliveries: [Delivery] = []
  private var lastOrder = 0
  /// Whether deliveries are under way.
  public private(set) var isRunning = false
  /// The number of earlier rounds in the current run.
  public private(set) var round = 0
  /// The transaction of current changes.
  public var transaction = Transaction()
  /// Whether an enclosing transaction will deliver the changes.
  var isInTransaction = false
  /// How often the remaining deliveries were dropped.
  private(set) var dropCount = 0
  /// A closure that is called before each delivery; true ends the run, and the next one makes the remaining deliveries.
  public var isInterrupted: () -> Bool = { false }

  /// Called with the error of a run that nothing else reports.
  public var onError: (EndlessRounds) -> Void = { _ in }

  /// Creates a turn without deliveries.
  public init() {}

  /// Returns the next number for an observer; deliveries are made in ascending order.
  public func nextOrder() -> Int {
    lastOrder += 1
    return lastOrder
  }

  /// Registers `body` to look for changes at the beginning of each round.
  public func addPreparation(_ body: @escaping () -> Void) -> ObservationToken {
    let id = nextOrder()
    preparations.append(Preparation(id: id, body: body))
    return ObservationToken { [weak self] in self?.preparations.removeAll { $0.id == id } }
  }

  /// Enqueues `body` for the next round; `name` names the observer in messages.
  public func enqueue(order: Int, name: @autoclosure @escaping () -> String, _ body: @escaping () -> Void) {
    TransactionScope.join(self, reportsEarlier: false)
    deliveries.append(Delivery(order: order, name: name, body: body))
  }

  /// Makes rounds until no deliveries are left. Does nothing while a run is under way, because that run delivers
  /// everything.
  ///
  /// - Throws: EndlessRounds, with the rest dropped.
  public func run() throws(EndlessRounds) {
    guard !isRunning else { return }
    isRunning = true
    defer { isRunning = false }
    for round in 0..<Self.mostRounds {
      self.round = round
      for preparation in preparations { preparation.body() }
      guard !deliveries.isEmpty else { return }
      let round = inOrder(deliveries)
      deliveries = []
      for (place, delivery) in round.enumerated() {
        if isInterrupted() {
          deliveries = round[place...] + deliveries
          return
        }
        withoutObservationTracking(delivery.body)
      }
    }
    for preparation in preparations { preparation.body() }
    guard !deliveries.isEmpty else { return }
    var names: [String] = []
    for delivery in deliveries {
      let name = delivery.name()
      if !names.contains(name) { names.append(name) }
    }
    drop()
    throw EndlessRounds(names: names)
  }

  /// Takes part in the transaction of the running thread, if there is one. Call it before a change.
  public func joinTransaction() { TransactionScope.join(self, reportsEarlier: true) }

  /// Makes rounds and reports their error.
  func runReportingErrors() {
    do { try run() } catch { onError(error) }
  }

  /// Sorts deliveries by observer; those of one observer stay in the order in which they were enqueued.
  private func inOrder(_ deliveries: [Delivery]) -> [Delivery] {
    if deliveries.count < 2 { return deliveries }
    return deliveries.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }.map(
      \.element)
  }

  private func drop() {
    deliveries = []
    dropCount += 1
  }
}

/// Observers that change, again and again, what they observe.
public struct EndlessRounds: Error, Hashable {
  /// The names of the observers whose deliveries were dropped.
  public let names: [String]

  /// Creates an error.
  public init(names: [String]) { self.names = names }
}
