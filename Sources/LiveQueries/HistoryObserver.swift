public import Modeling
public import Reactive
public import Stores

/// Counts the relevant changes in a store's history, by any writer.
///
///     let observer = try HistoryObserver(store, entities: [trip], authors: ["import"], turn: turn)
///     let token = observer.onChange { observer in print(observer.eventCounter) }
///
/// Fetch the history after your last token to see which objects changed.
public final class HistoryObserver {
  /// A counter that grows by one when the history has relevant changes.
  public private(set) var eventCounter = 0
  /// The position up to which the history was read.
  public private(set) var historyToken: HistoryToken
  /// The entities whose changes are relevant, with their subentities; empty for all.
  public let entities: Set<Entity>
  /// The authors whose changes are relevant; empty for all authors.
  public let authors: Set<String>

  private let store: any ObjectStore
  private let turn: Turn
  private var callbacks: [(order: Int, name: () -> String, body: (HistoryObserver) -> Void)] = []

  /// Observes the history after `token`, or after its current end.
  ///
  /// - Throws: StoreError, `.noHistory` for a store without a history.
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

  /// Calls `body` in the turn after `eventCounter` has grown; `name` is the observer's name in messages.
  public func onChange(
    name: @autoclosure @escaping () -> String = "a history observer", _ body: @escaping (HistoryObserver) -> Void
  ) -> ObservationToken {
    let order = turn.nextOrder()
    callbacks.append((order, name, body))
    return ObservationToken { [weak self] in self?.callbacks.removeAll { $0.order == order } }
  }

  /// Looks for new changes in the history. Call it after commits, your own and those of others.
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
            // Purged changes may have been relevant, and a restored copy may contain anything.
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
