internal import Modeling
public import ObjectGraph
internal import Reactive
internal import Stores

/// The live results and observers of one context.
///
/// It retains results that have observers until they are closed or their tokens are cancelled. It holds other results
/// weakly.
public final class LiveContext {
  /// The context.
  public let context: ObjectContext
  let liveStore: LiveStore
  /// How many groups a result may have when it is made.
  public var mostGroups = Int.max
  /// How many rows of a server are read for the groups of a result that is made. Beyond that the server counts, and the groups
  /// are maintained from their first change on.
  public var mostGroupedRows = Int.max
  private var results = ResultsList()
  private let conditions = ConditionIndex()
  /// The number of times that a result was left alone because of its condition.
  private(set) var unconcernedCount = 0
  /// Results with observers.
  private var kept: [ObjectIdentifier: LiveQuery] = [:]
  private(set) lazy var objects = ObjectObservers(self)
  /// Whether no unsaved change is reported after the last round, and no result was added since: then only new changes can
  /// change a result.
  private var isAtRest = false
  /// The store's number of rollbacks when saved objects were taken the last time.
  private var undoneCount = 0

  init(_ context: ObjectContext, in liveStore: LiveStore) {
    self.context = context
    self.liveStore = liveStore
    undoneCount = context.store.stamp.undoneCount
  }

  deinit { liveStore.forget(context) }

  /// Whether there are live results or observers.
  public var isFollowed: Bool { !results.isEmpty || !objects.isEmpty }

  /// Brings everything up to date with commits and with the current unsaved changes.
  func update(_ touched: TouchedRows, _ commits: [OwnCommit], isRemote: Bool, isWithinTransaction: Bool) {
    context.noticeRemoteWrites()
    let round = RoundChanges(
      touched: touched, settled: context.takeSavedObjects(), commits: RoundCommits(commits), isRemote: isRemote,
      transaction: liveStore.turn.transaction)
    round.showsUncommittedRows = context.store.showsUncommittedRows
    round.isWithinTransaction = isWithinTransaction
    if !round.settled.isEmpty {
      let undone = context.store.stamp.undoneCount
      round.mayBeRolledBack = isWithinTransaction || undone != undoneCount
      undoneCount = undone
    }
    // Within a transaction the former values of rows are not known, so no result is left alone because of its condition.
    if !isWithinTransaction { round.rows = SharedRows(touched, in: context.store, results: results.count) }
    let isPlain = !context.hasChangesHereOrAbove
    let isQuiet = isAtRest && isPlain && round.isEmpty && !isWithinTransaction
    isAtRest = isPlain
    let isIndexed = results.count >= ConditionIndex.fewestResults
    if !isQuiet, !conditions.isEmpty { conditions.judge(round, in: context.store) }
    visit(round, isQuiet: isQuiet) { results in
      if isQuiet, !results.isDue {
        return results.forgetBatch()
      }
      if let entry = results.entry, conditions.isUnconcerned(entry), !results.needsReload, results.isSettled {
        results.forgetBatch()
        unconcernedCount += 1
        return
      }
      do {
        try results.update(round)
        if isIndexed { results.join(conditions) }
      } catch {
        // Reported once; each turn tries again.
        if !results.needsReload { liveStore.onError(UpdateFailure(name: results.observers.name, reason: error)) }
        results.needsReload = true
      }
    }
    results.putToSleep(where: \.maySleep)
    // A commit during this round may have left a result between two states. The index assumes the state before the next round.
    if liveStore.hasNews { for results in results { results.leaveIndex() } }
    objects.update(round)
  }

  /// Calls `body` with the results that a round may change: all but those that sleep, where it is certain which of these it
  /// concerns.
  private func visit(_ round: RoundChanges, isQuiet: Bool, _ body: (LiveQuery) -> Void) {
    func visit(_ results: LiveQuery) {
      body(results)
      if results.entry != nil, !results.maySleep { wake(results) }
    }
    let isUnsaved = conditions.entities.contains { context.table(for: $0).hasUnsavedChanges }
    guard isQuiet || conditions.isCertain && !isUnsaved else {
      for results in results { visit(results) }
      return
    }
    let visited = results.awake(and: isQuiet ? [] : conditions.concerned)
    if !isQuiet { unconcernedCount += results.count - visited.count }
    visited.forEach(visit)
  }

  /// Has a result visited by the next round in any case.
  func wake(_ results: LiveQuery) { self.results.wake(ObjectIdentifier(results)) }

  /// The tables that observed results depend on, in lower case.
  var observedTables: Set<String> {
    kept.values.reduce(into: objects.tables) { $0.formUnion($1.tables) }
  }

  // MARK: Membership

  func add(_ new: LiveQuery) {
    results.append(new)
    isAtRest = false
    context.notesSavedObjects = true
  }

  func remove(_ id: ObjectIdentifier) {
    results.remove(id)
    kept[id] = nil
    stopNotingIfIdle()
  }

  /// Retains results while they have observers.
  func keep(_ results: LiveQuery, _ isObserved: Bool) {
    kept[ObjectIdentifier(results)] = isObserved ? results : nil
    liveStore.keep(self, !kept.isEmpty || !objects.isEmpty)
  }

  /// Call this when the first observer of objects is added.
  func observationBegan() {
    context.notesSavedObjects = true
    liveStore.keep(self, true)
  }

  /// Call this when the last observer of objects is removed.
  func observationEnded() {
    if objects.isEmpty { liveStore.keep(self, !kept.isEmpty) }
    stopNotingIfIdle()
  }

  /// The broken invariants of the live results, in words.
  var brokenInvariants: [String] {
    results.compactMap { results in
      do { try results.checkInvariants() } catch { return "\(results.observers.name): \(error)" }
      return nil
    }
  }

  /// Closes all results and observers; the results keep their content.
  func close() {
    for results in kept.values { results.close() }
    objects.close()
    liveStore.keep(self, false)
  }

  private func stopNotingIfIdle() {
    if !isFollowed { context.notesSavedObjects = false }
  }
}

/// The changes since the last round. A class, because each result and each observer is handed them.
final class RoundChanges {
  let touched: TouchedRows
  let settled: [SavedObject]
  /// The former values in this connection's commits.
  let commits: RoundCommits
  let isRemote: Bool
  let transaction: Transaction
  /// Whether a transaction is open that has written, so that rows read now may be rolled back.
  var showsUncommittedRows = false
  /// Whether `touched` has what that transaction has changed so far: what results have read in it is read again.
  var isWithinTransaction = false
  /// Whether saved changes may have been rolled back since, or overwritten in the same transaction.
  var mayBeRolledBack = false
  /// The touched rows, for all results that can evaluate them in memory.
  var rows: SharedRows?

  init(
    touched: TouchedRows, settled: [SavedObject], commits: RoundCommits, isRemote: Bool, transaction: Transaction
  ) {
    self.touched = touched
    self.settled = settled
    self.commits = commits
    self.isRemote = isRemote
    self.transaction = transaction
  }

  /// Whether nothing was committed or saved. Unsaved changes are no part of it.
  var isEmpty: Bool { touched.isEmpty && settled.isEmpty && commits.isEmpty }

  /// The kind of the changes.
  var kind: ResultsChange.Kind { touched.isEmpty ? .pending : isRemote ? .remote : .save }
}

/// The former values in a round's commits, read once for all that ask.
final class RoundCommits {
  private let commits: [OwnCommit]
  /// A list, because commits touch few entities.
  private var known: [(root: Entity, values: CommittedValues)] = []

  init(_ commits: [OwnCommit]) { self.commits = commits }

  /// Whether there are no commits.
  var isEmpty: Bool { commits.isEmpty }

  /// The former values of a root entity's rows.
  func values(of root: Entity, in store: any ObjectStore) -> CommittedValues {
    if let known = known.first(where: { $0.root === root }) { return known.values }
    let new = CommittedValues(commits, of: root, in: store)
    known.append((root, new))
    return new
  }
}
