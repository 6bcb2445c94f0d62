internal import Modeling
public import ObjectGraph
public import Reactive
public import Stores

/// Passes the changes of a store on to live results and observers.
///
///     let live = LiveStore(store, turn: turn)
///     let quakes = try FetchedResults(request, in: live.context(context))
///     try context.save()
///     try turn.run()                     // brings results up to date, then calls observers
///
/// The cycle: commits collect in `waiting` as they occur. A round of the turn takes them, brings the objects of
/// contexts up to date, then the results, and then calls observers. The changes of observers are the next round.
public final class LiveStore {
  /// The store.
  public let store: any ObjectStore
  /// The turn that calls observers.
  public let turn: Turn
  /// Whether nothing is reported for now: the changes of commits wait for a later turn. A program whose users begin
  /// transactions by SQL sets it until such a transaction ends.
  public var isHeld: () -> Bool = { false }
  /// Called with the error of a failed update. The next turn fetches the result again.
  public var onError: (any Error) -> Void = { _ in }

  private var subscription: CommitSubscription?
  private var preparation: ObservationToken?
  private var contexts: [ObjectIdentifier: KnownContext] = [:]
  private var contextCount = 0
  /// Contexts with results or observers that must be retained.
  private var kept: [ObjectIdentifier: LiveContext] = [:]
  /// The tables whose rows the commit watch follows.
  private var followedTables: Set<String> = []
  private var waiting = Waiting()
  /// The observers of other connections' commits.
  let remoteObservers: RemoteObservers
  /// When an event loop should look for others' commits again, by the clock; nil for as soon as there is an event.
  ///
  /// A store without a history is read completely for each commit of others. Pauses keep this from using a whole
  /// processor.
  public private(set) var restsUntil: Double?
  /// A monotonic clock, in seconds.
  var clock: () -> Double = monotonicSeconds
  /// The rows that live groups have read since the store was opened.
  public internal(set) var groupStatistics = GroupStatistics()
  /// The part of the open transaction that was read.
  private var lookedInto: (stamp: StoreStamp, rows: Int)?
  /// Whether reading remote commits has failed.
  private var isUnreadable = false

  /// The commits since the last round.
  private struct Waiting {
    var touched = TouchedRows()
    /// The commits of this connection, in order.
    var commits: [OwnCommit] = []
    var isOwn = false
    var isForeign = false
  }

  /// Follows `store` from now on.
  public init(_ store: any ObjectStore, turn: Turn) {
    self.store = store
    self.turn = turn
    remoteObservers = RemoteObservers(store, turn)
    subscription = store.onOwnCommit { [unowned self] commit in
      guard isFollowed else { return }
      note(commit.touched)
      waiting.commits.append(commit)
    }
    preparation = turn.addPreparation { [unowned self] in prepare() }
    // Commits of others are collected from here on, so that the first round misses none.
    _ = try? store.changesByOthers()
  }

  deinit { stop() }

  /// Closes all live results and observers of the store.
  public func stop() {
    subscription?.cancel()
    preparation?.cancel()
    for context in kept.values { context.close() }
    kept = [:]
  }

  /// Retains a context while it has observers.
  func keep(_ context: LiveContext, _ isObserved: Bool) {
    kept[ObjectIdentifier(context)] = isObserved ? context : nil
  }

  /// Returns the live context of a context; always the same one.
  public func context(_ context: ObjectContext) -> LiveContext {
    if let known = contexts[ObjectIdentifier(context)]?.context { return known }
    let new = LiveContext(context, in: self)
    contextCount += 1
    contexts[ObjectIdentifier(context)] = KnownContext(number: contextCount, context: new)
    return new
  }

  /// Whether there are live results or observers.
  public var isFollowed: Bool {
    !remoteObservers.isEmpty || contexts.values.contains { $0.context.isFollowed }
  }

  /// Whether there were commits since the last round began.
  var hasNews: Bool { !waiting.touched.isEmpty || !waiting.commits.isEmpty }

  /// Adds rows that others touched to the next round.
  public func note(_ touched: TouchedRows) {
    guard isFollowed, !touched.isEmpty else { return }
    waiting.touched.formUnion(touched)
    if touched.isForeign { waiting.isForeign = true } else { waiting.isOwn = true }
  }

  private func prepare() {
    guard isFollowed else { return waiting = Waiting() }
    if isHeld() { return }
    var isDone = false
    do {
      try store.reading {
        isDone = true
        bringUpToDate()
      }
    } catch {
      // If one read transaction fails, read without it.
      if !isDone { bringUpToDate() }
    }
  }

  private func bringUpToDate() {
    // Others' commits during the calls of observers are reported after these calls.
    let look = turn.round == 0 ? timing { noticeRemoteCommits() } : nil
    let isWithin = noticeOpenTransaction()
    var news = Waiting()
    swap(&news, &waiting)
    func update() {
      for context in livingContexts where context.isFollowed {
        context.update(
          news.touched, news.commits, isRemote: news.isForeign && !news.isOwn, isWithinTransaction: isWithin)
      }
    }
    if let look, isExpensive(look) {
      let seconds = look + timing(update)
      restsUntil = clock() + seconds * Self.restPerLook
    } else {
      if look != nil { restsUntil = nil }
      update()
    }
    if news.isForeign { remoteObservers.tell(news.touched) }
  }

  /// Parents first, because the results of a child depend on them; those of one depth in the order in which they were made
  /// live, so that a turn does the same each time.
  private var livingContexts: [LiveContext] {
    if contexts.count < 2 { return contexts.values.map { $0.context } }
    let known = contexts.values.map { ($0.number, $0.context) }
    return known.sorted { ($0.1.context.depth, $0.0) < ($1.1.context.depth, $1.0) }.map(\.1)
  }

  // MARK: Open transactions

  /// The number of changed rows up to which a transaction is looked into after each write. What has changed more is
  /// looked into when it has grown by an eighth, so that its looks together are no more than a few passes over it.
  private static let fewRows = 1_000

  /// Adds what a transaction that is open has changed so far to the following round, since its commit may come late or never;
  /// returns false if it has not been written to since the last look.
  private func noticeOpenTransaction() -> Bool {
    guard store.showsUncommittedRows else {
      lookedInto = nil
      return false
    }
    let stamp = store.stamp
    if let last = lookedInto, stamp.undoneCount == last.stamp.undoneCount {
      let written = stamp.changeCount - last.stamp.changeCount
      if written == 0 || last.rows > Self.fewRows && written < last.rows / 8 { return false }
    }
    do {
      guard let touched = try store.rowsTouchedByOpenTransaction() else { return false }
      let rows = touched.tables.values.map { $0.inserted.count + $0.updated.count + $0.deleted.count }
      lookedInto = (stamp, rows.reduce(0, +))
      note(touched)
    } catch {
      // Results read everything, and say what is wrong.
      note(.unknown)
    }
    return true
  }

  // MARK: Others

  /// The time in seconds up to which a look needs no pause.
  private static let cheapLook = 0.002
  /// The pause as a multiple of the look before it and of the update that followed: while others write continuously, a thirteenth of
  /// the time is spent on their changes.
  private static let restPerLook = 12.0

  /// Whether a look took so many seconds that a pause follows. What takes long on a server is waiting, and would take no less behind a
  /// pause.
  private func isExpensive(_ look: Double) -> Bool { store.traits.readsTablesForOthers && look >= Self.cheapLook }

  private func timing(_ body: () -> Void) -> Double {
    let begun = clock()
    body()
    return clock() - begun
  }

  /// Collects the commits of other connections for the following round; takes about a microsecond if there are none.
  func noticeRemoteCommits() {
    guard isFollowed else { return }
    do {
      if let touched = try store.changesByOthers() { note(touched) }
      isUnreadable = false
    } catch {
      // Reported once; each turn tries again.
      if !isUnreadable { onError(UpdateFailure(name: "store:on(\"remoteChange\")", reason: error)) }
      isUnreadable = true
    }
  }

  /// The watch on other connections' commits, for an event loop; nil without observers or other possible writers.
  ///
  /// From the first access on, a store without a history follows the tables of observed results, so that it can report
  /// which of their rows others wrote.
  public var commitWatch: (any CommitWatch)? {
    guard let watch = presentWatch else { return nil }
    followTables(watch)
    return watch
  }

  /// The same without a look at which tables are followed, for what an event loop asks between two accesses of `commitWatch`.
  public var presentWatch: (any CommitWatch)? { isFollowed ? store.commitWatch : nil }

  /// Wakes a waiting loop at remote commits, until the token is cancelled, for a program that reads again what it shows. No
  /// row is remembered, and no observer is notified.
  public func followCommits(name: String) -> ObservationToken { remoteObservers.add(name, []) { _ in } }

  /// Has the rows of the observed tables remembered, and no others.
  func followTables(_ watch: any CommitWatch) {
    let named = remoteObservers.namedTables
    let wanted = contexts.values.reduce(into: remoteObservers.tables) {
      $0.formUnion($1.context.observedTables)
    }
    guard wanted != followedTables else { return }
    for table in wanted.subtracting(followedTables) { watch.follow(table: table, wholly: named.contains(table)) }
    for table in followedTables.subtracting(wanted) { watch.unfollow(table: table) }
    followedTables = wanted
  }

  /// The broken invariants of the live results of all contexts, in words. For tests: it reads everything.
  package var brokenInvariants: [String] { livingContexts.flatMap(\.brokenInvariants) }

  func forget(_ context: ObjectContext) { contexts[ObjectIdentifier(context)] = nil }
}

/// The rows that live groups have read because of changes.
public struct GroupStatistics: Hashable, Sendable {
  /// How many changes there were.
  public var changes = 0
  /// How many rows were looked at, and counted out of their groups and into others.
  public var rows = 0
  /// How many groups were looked at.
  public var groups = 0

  /// Nothing looked at.
  public init() {}

  mutating func add(_ look: (rows: Int, groups: Int)) {
    changes += 1
    rows += look.rows
    groups += look.groups
  }
}

/// A live context without retaining it: it has itself forgotten before it is gone. Not weak: counting references to an object
/// that has a weak one takes several times as long.
private struct KnownContext {
  /// Which of the store's contexts it is, in the order in which they were made live.
  let number: Int
  unowned let context: LiveContext
}
