/// What is still to be told before a turn ends, in rounds until nothing is left.
///
///     let turn = Turn()
///     turn.addPreparation { findWhatChanged() }            // enqueues deliveries
///     turn.enqueue(order: turn.nextOrder(), name: "totals") { print("changed") }
///     try turn.run()
///
/// A round first has the preparations look for changes, then makes the deliveries in the order in which their observers
/// were added. What those change is found by the next round. Deliveries tell their own errors.
public final class Turn {
  /// So many rounds without rest are endless.
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
  /// How many rounds of the run under way were made before this one.
  public private(set) var round = 0
  /// What accompanies the changes that are made now.
  public var transaction = Transaction()
  /// Whether a transaction will tell of what is changed.
  var isInTransaction = false
  /// How often what was left to tell was dropped.
  private(set) var dropCount = 0
  /// Asked between rounds and deliveries; true ends the run, with what is left dropped.
  public var isInterrupted: () -> Bool = { false }

  /// A turn with nothing to tell.
  public init() {}

  /// A number for an observer: deliveries are made by ascending order.
  public func nextOrder() -> Int {
    lastOrder += 1
    return lastOrder
  }

  /// Has `body` look for changes at the beginning of each round.
  public func addPreparation(_ body: @escaping () -> Void) -> ObservationToken {
    let id = nextOrder()
    preparations.append(Preparation(id: id, body: body))
    return ObservationToken { [weak self] in self?.preparations.removeAll { $0.id == id } }
  }

  /// Has `body` called in the next round; `name` is what a person would call it in a message.
  public func enqueue(order: Int, name: @autoclosure @escaping () -> String, _ body: @escaping () -> Void) {
    deliveries.append(Delivery(order: order, name: name, body: body))
  }

  /// Makes rounds until nothing is left to tell. Does nothing while a run is under way: it will see to everything.
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
      let round = deliveries.sorted { $0.order < $1.order }
      deliveries = []
      for delivery in round {
        if isInterrupted() { return drop() }
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

  private func drop() {
    deliveries = []
    dropCount += 1
  }
}

/// Observers that change, again and again, what they observe.
public struct EndlessRounds: Error, Hashable {
  /// What the observers that were still to be told are called.
  public let names: [String]

  /// Names them.
  public init(names: [String]) { self.names = names }
}
