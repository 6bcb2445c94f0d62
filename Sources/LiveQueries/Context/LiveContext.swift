internal import Modeling
public import ObjectGraph
internal import Reactive
internal import Storage

/// What is shown and observed of one context.
///
/// Keeps results that have observers alive until they are closed or their tokens are cancelled, and forgets others with
/// their last reference.
public final class LiveContext {
  /// The context.
  public let context: ObjectContext
  let liveStore: LiveStore
  private var results = ResultsList()
  /// Those that have observers.
  private var kept: [ObjectIdentifier: LiveQuery] = [:]
  private(set) lazy var objects = ObjectObservers(self)

  init(_ context: ObjectContext, in liveStore: LiveStore) {
    self.context = context
    self.liveStore = liveStore
  }

  deinit { liveStore.forget(context) }

  /// Whether there are live results or observers.
  public var isFollowed: Bool { !results.isEmpty || !objects.isEmpty }

  /// Brings everything up to date with what was committed and with the unsaved changes as they are now.
  func update(_ touched: TouchedRows, _ commits: [OwnCommit], isRemote: Bool) {
    context.noticeForeignWrites()
    var occasion = Occasion(
      touched: touched, settled: context.takeSettledObjects(), isRemote: isRemote,
      transaction: liveStore.turn.transaction,
      commits: OccasionCommits(commits))
    occasion.rows = SharedRows(touched, in: context.store, results: results.count)
    for results in results {
      do { try results.update(occasion) } catch {
        // Told once: it is tried again in each turn.
        if !results.needsReload { liveStore.onError(UpdateFailure(name: results.observers.name, reason: error)) }
        results.needsReload = true
      }
    }
    objects.update(occasion)
  }

  /// The tables that observed results depend on, in lower case.
  var observedTables: Set<String> {
    kept.values.reduce(into: objects.tables) { $0.formUnion($1.tables) }
  }

  // MARK: Membership

  func add(_ new: LiveQuery) {
    results.append(new)
    context.notesSettledObjects = true
  }

  func remove(_ id: ObjectIdentifier) {
    results.remove(id)
    kept[id] = nil
    stopNotingIfIdle()
  }

  /// Keeps results alive as long as they have observers.
  func keep(_ results: LiveQuery, _ isObserved: Bool) {
    kept[ObjectIdentifier(results)] = isObserved ? results : nil
    liveStore.keep(self, !kept.isEmpty || !objects.isEmpty)
  }

  /// Follows the first observer of objects.
  func observationBegan() {
    context.notesSettledObjects = true
    liveStore.keep(self, true)
  }

  /// Follows the removal of the last one.
  func observationEnded() {
    if objects.isEmpty { liveStore.keep(self, !kept.isEmpty) }
    stopNotingIfIdle()
  }

  /// Ends everything: what is shown stays as it is.
  func close() {
    for results in kept.values { results.close() }
    objects.close()
    liveStore.keep(self, false)
  }

  private func stopNotingIfIdle() {
    if !isFollowed { context.notesSettledObjects = false }
  }
}

/// What happened since the last round.
struct Occasion {
  var touched: TouchedRows
  var settled: [SettledObject]
  var isRemote: Bool
  var transaction: Transaction
  /// What the commits of this connection replaced.
  var commits = OccasionCommits([])
  /// The touched rows, for all results that can judge them by their values.
  var rows: SharedRows?

  /// What changes found on the occasion are called.
  var kind: ResultsChange.Kind { touched.isEmpty ? .pending : isRemote ? .remote : .save }
}

/// What the commits of a round replaced, found out once for all that ask.
final class OccasionCommits {
  private let commits: [OwnCommit]
  private var values: [ObjectIdentifier: CommittedValues] = [:]

  init(_ commits: [OwnCommit]) { self.commits = commits }

  /// What they replaced in rows of a root entity.
  func values(of root: Entity, in store: any ObjectStore) -> CommittedValues {
    if let known = values[ObjectIdentifier(root)] { return known }
    let new = CommittedValues(commits, of: root, in: store)
    values[ObjectIdentifier(root)] = new
    return new
  }
}
