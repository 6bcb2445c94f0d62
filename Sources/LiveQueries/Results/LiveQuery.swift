public import Queries
public import Reactive

/// A request whose results are kept up to date while the store and the context change: the base of live objects,
/// dictionaries and counts.
///
/// The cycle: a commit or a pending change is part of the next round's `RoundChanges`, and `update` brings the content up
/// to date with it. The same round reports the difference to observers. `configure` fetches at once; the next round
/// then reports the difference from the state that observers received last.
///
/// A subclass holds the content: it fetches the content (`load`), applies the changes of a round to it (`advance`), and
/// discards what it has read ahead (`forgetBatch`).
public class LiveQuery {
  /// The live context in which the request is fetched.
  public let live: LiveContext
  /// The current request.
  public final private(set) var request: FetchRequest
  /// The animation of changes whose transaction has none.
  public final var animation: Animation?
  /// Whether the query no longer follows the store.
  public final private(set) var isClosed = false
  /// The source that makes readers run again when the content changes.
  public final let source = ObservationSource()

  /// Whether the last update failed.
  final var needsReload = false
  /// The observers of changes.
  final let observers: ResultsObservers
  /// Functions to call when the query is closed.
  final var endings: [() -> Void] = []
  /// The query's place among the conditions of the context's queries; nil until it has one, and for most kinds of conditions.
  private(set) final var entry: ConditionIndex.Entry?
  private final var hasLookedForEntry = false

  /// Follows the results of `request` from now on.
  init(following request: FetchRequest, in live: LiveContext) {
    self.live = live
    self.request = request
    observers = ResultsObservers(live.liveStore.turn, name: "\(request.entity.name):live")
    observers.onInterest = { [unowned self] in live.keep(self, $0) }
    live.add(self)
  }

  deinit {
    entry?.remove()
    live.remove(ObjectIdentifier(self))
  }

  /// Closes the query: the content stays as it is, and observers are not called any more.
  public final func close() {
    guard !isClosed else { return }
    observers.removeAll()
    isClosed = true
    for ending in endings { ending() }
    endings = []
    leaveIndex()
    live.remove(ObjectIdentifier(self))
  }

  // MARK: The request

  /// Changes the request: fetches again, once, and reports one difference to observers.
  ///
  /// The entity and the result type cannot change. If this throws, nothing changes.
  ///
  /// - Throws: LiveQueryError, PredicateError, GraphError, StoreError; EndlessRounds if observers keep changing what
  ///   they observe.
  public final func configure(_ change: (inout FetchRequest) throws -> Void) throws {
    var wanted = request
    try change(&wanted)
    try replace(with: wanted)
    try live.liveStore.turn.run()
  }

  /// Replaces the request; the next round reports the difference.
  ///
  /// - Throws: LiveQueryError, PredicateError, StoreError; then nothing is changed.
  public final func replace(with wanted: FetchRequest) throws {
    guard !isClosed else { throw LiveQueryError(.closed) }
    guard wanted != request else { return }
    // This also rejects an order that contradicts the sections.
    try wanted.validate(for: .fetch)
    try load(wanted)
    leaveIndex()
    request = wanted
    forgetBatch()
    source.didChange()
  }

  // MARK: Observers

  /// Calls `body` for each change, after the commit or at the end of the turn that made it; `name` is the observer's
  /// name in messages.
  ///
  /// With `withFormerValues`, changes contain the former values of updated objects, in `former`.
  public final func onChange(
    name: String? = nil, withFormerValues: Bool = false, _ body: @escaping (ResultsChange) -> Void
  ) -> ObservationToken {
    if withFormerValues { observers.wantsFormerValues = true }
    return isClosed ? ObservationToken {} : observers.add(name, body)
  }

  /// Brings the content up to date and calls observers in the current round.
  final func update(_ round: RoundChanges) throws {
    guard !isClosed else { return }
    if !needsReload, let rows = round.rows, isUnconcerned(by: rows) { return forgetBatch() }
    let reported = observers.wantsFormerValues ? reportedChanges : []
    let found = try advance(round)
    needsReload = false
    // Needed even without a difference: a save may have given objects other keys.
    forgetBatch()
    guard var change = found, !change.isEmpty else { return }
    change.transaction = round.transaction
    if change.transaction.animation == nil, !change.transaction.disablesAnimations {
      change.transaction.animation = animation
    }
    change.author = round.touched.author
    let keys = observers.wantsFormerValues ? (change.updated + change.moved).compactMap(\.objectID?.key) : []
    // Groups and counts have no objects.
    if !keys.isEmpty {
      change.former = FormerValues(
        round, of: request.entity, keys, before: reported, after: reportedChanges, in: live.context)
    }
    source.didChange()
    observers.tell(change)
  }

  // MARK: The index of conditions

  /// Takes part in an index of conditions, where its own serves. The content must be that of the round that ends.
  final func join(_ index: ConditionIndex) {
    guard !hasLookedForEntry, !needsReload, !isClosed else { return }
    hasLookedForEntry = true
    entry = makeEntry(in: index)
  }

  /// Whether rounds that do not concern its range may pass it over.
  final var maySleep: Bool { entry != nil && !needsReload && isSettled }

  /// Takes part in the index no more, until it joins again.
  final func leaveIndex() {
    live.wake(self)
    entry?.remove()
    entry = nil
    hasLookedForEntry = false
  }

  // MARK: The content, which subclasses hold

  /// The tables that the query reads, in lower case.
  var tables: Set<String> { [] }

  /// Fetches another request; `advance` then compares with the state that observers received last. If this throws,
  /// nothing changes.
  func load(_ wanted: FetchRequest) throws {}

  /// Whether the next round brings the content up to date even if nothing was committed.
  var isDue: Bool { needsReload }

  /// Whether the commits that touched `rows` certainly cannot have changed the content.
  func isUnconcerned(by rows: SharedRows) -> Bool { false }

  /// Adds the query to an index of conditions; nil if its condition is of no use there.
  func makeEntry(in index: ConditionIndex) -> ConditionIndex.Entry? { nil }

  /// Whether the content is the stored rows that match, all of them, and nothing else changes it.
  var isSettled: Bool { false }

  /// Brings the content up to date; returns the change to report to observers, nil for none. With `needsReload` everything
  /// is fetched again.
  func advance(_ round: RoundChanges) throws -> ResultsChange? { nil }

  /// Discards the rows that were read ahead.
  func forgetBatch() {}

  /// Compares the content with the rows from which it is computed; for tests.
  ///
  /// - Throws: BrokenInvariant.
  func checkInvariants() throws {}

  /// The reported unsaved changes of the context itself, its parent and so on.
  var reportedChanges: [[Int64: PendingOverlay.ReportedState]] { [] }
}
