public import Modeling
public import Reactive
public import Storage

/// Counts the commits, by whomever, that a store's history tells something relevant of.
///
///     let observer = try HistoryObserver(store, entities: [trip], authors: ["import"], turn: turn)
///     let token = observer.onChange { observer in print(observer.eventCounter) }
///
/// What became of the objects is then asked of the history itself, since the token up to which it was read.
public final class HistoryObserver {
  /// Grows by one when the history has something new that is relevant.
  public private(set) var eventCounter = 0
  /// The place in the history up to which was looked.
  public private(set) var historyToken: HistoryToken
  /// The entities whose changes are relevant, with their subentities; empty for all.
  public let entities: Set<Entity>
  /// Whose changes are relevant; empty for everybody's.
  public let authors: Set<String>

  private let store: any ObjectStore
  private let turn: Turn
  private var callbacks: [(order: Int, name: () -> String, body: (HistoryObserver) -> Void)] = []

  /// Observes the history behind `token`, which is where it stands now if none is given.
  ///
  /// - Throws: StoreError, `.noHistory` for a store without.
  public init(
    _ store: any ObjectStore, since token: HistoryToken? = nil, entities: Set<Entity> = [], authors: Set<String> = [],
    turn: Turn
  ) throws {
    self.store = store
    self.entities = entities
    self.authors = authors
    self.turn = turn
    historyToken = try token ?? store.currentHistoryToken
  }

  /// Has `body` called in the turn after `eventCounter` has grown; `name` is what messages call it.
  public func onChange(
    name: @autoclosure @escaping () -> String = "a history observer", _ body: @escaping (HistoryObserver) -> Void
  ) -> ObservationToken {
    let order = turn.nextOrder()
    callbacks.append((order, name, body))
    return ObservationToken { [weak self] in self?.callbacks.removeAll { $0.order == order } }
  }

  /// Looks what the history has new; to be called after commits, one's own and those of others.
  ///
  /// - Throws: StoreError.
  public func noticeCommit() throws {
    let newest = try store.currentHistoryToken
    guard newest != historyToken else { return }
    let isRelevant = try self.hasNews
    historyToken = newest
    guard isRelevant else { return }
    eventCounter += 1
    for callback in callbacks {
      turn.enqueue(order: callback.order, name: callback.name()) { [weak self] in
        guard let self, self.callbacks.contains(where: { $0.order == callback.order }) else { return }
        callback.body(self)
      }
    }
  }

  private var hasNews: Bool {
    get throws {
      for entity in entities.isEmpty ? [nil] : entities.map(Optional.some) {
        for author in authors.isEmpty ? [nil] : authors.map(Optional.some) {
          var request = HistoryRequest()
          request.since = historyToken
          request.entity = entity
          request.author = author
          request.fetchLimit = 1
          request.includesChanges = false
          do {
            if try !store.history(request).isEmpty { return true }
          } catch let error as StoreError {
            // What was purged may have been relevant, and what was put back from a copy may be anything.
            switch error.fact {
            case .historyExpired, .unknownHistoryToken: return true
            default: throw error
            }
          }
        }
      }
      return false
    }
  }
}
