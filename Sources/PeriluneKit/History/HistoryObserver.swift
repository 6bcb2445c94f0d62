internal import LiveQueries
public import Reactive
public import StoreErrors

/// Counts the relevant changes in a store's history, by any writer, in the terms of SwiftData.
///
///     let observer = try HistoryObserver(for: [Quake.self], authors: ["import"], in: container)
///     container.effect { print(observer.eventCounter) }
///
/// Read the history after your last token to see what changed. The history is looked at in each turn.
public final class HistoryObserver {
  private let base: LiveQueries.HistoryObserver
  private let source = ObservationSource()
  private var preparation: ObservationToken?
  private var token: ObservationToken?

  /// Observes the history after `token`, or after its current end: changes of objects of these classes, or of all,
  /// by these authors, or by all.
  ///
  /// - Throws: StoreError, `.noHistory` for a store without a history; PeriluneError.unknownEntity.
  public init(
    for types: [ManagedObject.Type] = [], authors: Set<String> = [], since token: HistoryToken? = nil,
    in container: PersistentContainer
  ) throws {
    let opened = container.opened
    base = try LiveQueries.HistoryObserver(
      opened.store, since: token, entities: Set(types.map { try opened.entity(of: $0) }), authors: authors,
      turn: opened.turn)
    preparation = opened.turn.addPreparation { [weak base, weak opened] in
      do { try base?.noticeCommit() } catch { opened?.live.onError(error) }
    }
    self.token = base.onChange { [weak source] _ in source?.didChange() }
  }

  deinit { cancel() }

  /// A counter that grows by one in each turn with relevant changes.
  public var eventCounter: Int {
    source.access()
    return base.eventCounter
  }

  /// The position up to which the history was looked at.
  public var historyToken: HistoryToken { base.historyToken }

  /// Calls `body` in each turn in which `eventCounter` has grown.
  public func onChange(_ body: @escaping (HistoryObserver) -> Void) -> ObservationToken {
    base.onChange { [weak self] _ in if let self { body(self) } }
  }

  /// Ends the observation.
  public func cancel() {
    preparation?.cancel()
    token?.cancel()
  }
}
