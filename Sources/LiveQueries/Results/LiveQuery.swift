public import Queries
public import Reactive

/// A request that is kept true while the store and the context change: what live objects, dictionaries and counts have in
/// common.
///
/// The cycle: a commit or a pending change is an `Occasion` of the next round, which `update` brings the content up to date
/// with. What has changed is told to observers in the same round. `configure` fetches at once, and the next round tells the
/// difference to what observers were told last.
///
/// A subclass holds the content: it fetches it (`load`), finds what an occasion has changed in it (`advance`), and lets go of
/// what it read ahead (`forgetBatch`).
public class LiveQuery {
  /// What follows the context that it is read in.
  public let live: LiveContext
  /// The request as it is now.
  public final private(set) var request: FetchRequest
  /// How changes are shown where nothing else is said.
  public final var animation: String?
  /// Whether it no longer follows the store.
  public final private(set) var isClosed = false
  /// What makes a reader run again when the content changes.
  public final let source = ObservationSource()

  /// Whether the last update failed.
  final var needsReload = false
  /// The observers of changes.
  final let observers: ResultsObservers
  /// What ends with it.
  final var endings: [() -> Void] = []

  /// Follows what `request` selects from now on.
  init(following request: FetchRequest, in live: LiveContext) {
    self.live = live
    self.request = request
    observers = ResultsObservers(live.liveStore.turn, name: "\(request.entity.name):live")
    observers.onInterest = { [unowned self] in live.keep(self, $0) }
    live.add(self)
  }

  deinit { live.remove(ObjectIdentifier(self)) }

  /// Ends it: the content stays as it is, and observers are told nothing more.
  public final func close() {
    guard !isClosed else { return }
    observers.removeAll()
    isClosed = true
    for ending in endings { ending() }
    endings = []
    live.remove(ObjectIdentifier(self))
  }

  // MARK: The request

  /// Changes the request: everything is fetched anew, once, and observers are told one difference.
  ///
  /// What concerns entity and result type stays as it is. Nothing is changed if it throws.
  ///
  /// - Throws: LiveQueryError, PredicateError, GraphError, StoreError; EndlessRounds if observers go on changing what they
  ///   observe.
  public final func configure(_ change: (inout FetchRequest) throws -> Void) throws {
    var wanted = request
    try change(&wanted)
    try replace(with: wanted)
    try live.liveStore.turn.run()
  }

  /// Takes over another request, to be told in the next round.
  ///
  /// - Throws: LiveQueryError, PredicateError, StoreError; then nothing is changed.
  public final func replace(with wanted: FetchRequest) throws {
    guard !isClosed else { throw LiveQueryError(.closed) }
    guard wanted != request else { return }
    try load(wanted)
    request = wanted
    forgetBatch()
    source.didChange()
  }

  // MARK: Observers

  /// Has `body` told of each change, after the commit or at the end of the turn that made it; `name` is what messages
  /// call it.
  ///
  /// `withFormerValues` has changes tell what updated objects held before, in `former`.
  public final func onChange(
    name: String? = nil, withFormerValues: Bool = false, _ body: @escaping (ResultsChange) -> Void
  ) -> ObservationToken {
    if withFormerValues { observers.wantsFormerValues = true }
    return isClosed ? ObservationToken {} : observers.add(name, body)
  }

  /// Brings the content up to date with what happened, and has observers told in the round that begins.
  final func update(_ occasion: Occasion) throws {
    guard !isClosed else { return }
    let told = observers.wantsFormerValues ? toldChanges : []
    let found = try advance(occasion)
    needsReload = false
    // Also where nothing is told: a save may have given objects other keys.
    forgetBatch()
    guard var change = found, !change.isEmpty else { return }
    change.transaction = occasion.transaction
    if change.transaction.animation == nil, !change.transaction.disablesAnimations {
      change.transaction.animation = animation
    }
    change.author = occasion.touched.author
    if observers.wantsFormerValues {
      let keys = (change.updated + change.moved).compactMap(\.objectID?.key)
      change.former = FormerValues(
        occasion, of: request.entity, keys, before: told, after: toldChanges, in: live.context)
    }
    source.didChange()
    observers.tell(change)
  }

  // MARK: The content, which subclasses hold

  /// The tables that it is read from, in lower case.
  var tables: Set<String> { [] }

  /// Fetches what another request selects; what observers were told last is what `advance` compares with. Nothing is
  /// changed if it throws.
  func load(_ wanted: FetchRequest) throws {}

  /// Brings the content up to date; answers what observers are to be told, nil for nothing. With `needsReload` everything
  /// is fetched again.
  func advance(_ occasion: Occasion) throws -> ResultsChange? { nil }

  /// Forgets what was read ahead around the places that were looked at.
  func forgetBatch() {}

  /// The unsaved changes that are shown, of the context itself, its parent and so on.
  var toldChanges: [[Int64: PendingOverlay.Told]] { [] }
}
