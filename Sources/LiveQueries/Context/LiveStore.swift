internal import Modeling
public import ObjectGraph
public import Reactive
public import Storage

/// What happens in a store, on its way to live results and observers.
///
///     let live = LiveStore(store, turn: turn)
///     let quakes = try FetchedResults(request, in: live.context(context))
///     try context.save()
///     try turn.run()                     // results are brought up to date, observers are told
///
/// Commits are noted as they come. A round of the turn first lets the objects of contexts follow, then results, and then
/// tells observers.
public final class LiveStore {
  /// The store.
  public let store: any ObjectStore
  /// When observers are told.
  public let turn: Turn
  /// Called with the error of a failed update. The result is fetched again the next time.
  public var onError: (any Error) -> Void = { _ in }

  private var subscription: CommitSubscription?
  private var preparation: ObservationToken?
  private var contexts: [ObjectIdentifier: WeakLiveContext] = [:]
  /// Those that have observers.
  private var kept: [ObjectIdentifier: LiveContext] = [:]
  /// The tables whose rows are remembered.
  private var followedTables: Set<String> = []
  private var waiting = Waiting()
  /// Those that are told of commits of other connections.
  let remoteObservers: RemoteObservers
  /// When a waiting loop should look at what others committed again, by the clock; nil for as soon as there is a reason.
  ///
  /// A store without a history is read whole for each commit of others, which is not to take all of a processor.
  public private(set) var restsUntil: Double?
  /// The seconds of a clock that only goes forward.
  var clock: () -> Double = monotonicSeconds
  /// What live groups have looked at since the store was opened.
  public internal(set) var groupStatistics = GroupStatistics()
  /// Whether it could not be found out what others committed.
  private var isUnreadable = false

  /// What was committed since the last round.
  private struct Waiting {
    var touched = TouchedRows()
    /// The commits of this connection, in their order.
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
    // From here on: what others commit until the first round is not to be missed.
    _ = try? store.changesByOthers()
  }

  deinit { stop() }

  /// Ends all live results and observation of the store.
  public func stop() {
    subscription?.cancel()
    preparation?.cancel()
    for context in kept.values { context.close() }
    kept = [:]
  }

  /// Keeps what has observers, until they end.
  func keep(_ context: LiveContext, _ isObserved: Bool) {
    kept[ObjectIdentifier(context)] = isObserved ? context : nil
  }

  /// What follows a context of the store; the same each time.
  public func context(_ context: ObjectContext) -> LiveContext {
    if let known = contexts[ObjectIdentifier(context)]?.context { return known }
    let new = LiveContext(context, in: self)
    contexts[ObjectIdentifier(context)] = WeakLiveContext(context: new)
    return new
  }

  /// Whether there are live results or observers.
  public var isFollowed: Bool {
    !remoteObservers.isEmpty || contexts.values.contains { $0.context?.isFollowed == true }
  }

  /// Adds rows touched by others to the news of the next round.
  public func note(_ touched: TouchedRows) {
    guard isFollowed, !touched.isEmpty else { return }
    waiting.touched.formUnion(touched)
    if touched.isForeign { waiting.isForeign = true } else { waiting.isOwn = true }
  }

  private func prepare() {
    guard isFollowed else { return waiting = Waiting() }
    var isDone = false
    do {
      try store.reading {
        isDone = true
        bringUpToDate()
      }
    } catch {
      // What cannot be read in one piece is read as it comes.
      if !isDone { bringUpToDate() }
    }
  }

  private func bringUpToDate() {
    // What others commit while observers are told is told when they have been.
    if turn.round == 0 { noticeForeignCommits() }
    let news = waiting
    waiting = Waiting()
    // Parents first: what a child shows stands on them.
    let followed = contexts.values.compactMap(\.context).filter(\.isFollowed)
    for context in followed.sorted(by: { $0.context.depth < $1.context.depth }) {
      context.update(news.touched, news.commits, isRemote: news.isForeign && !news.isOwn)
    }
    if news.isForeign { remoteObservers.tell(news.touched) }
  }

  // MARK: Others

  /// A look that takes less, in seconds, needs no rest.
  private static let cheapLook = 0.002
  /// How many times as long as a look the rest is: a tenth of the time is spent looking while others write without pause.
  private static let restPerLook = 9.0

  /// Notes what other connections committed, for the round that follows; about a microsecond if they did nothing.
  func noticeForeignCommits() {
    guard isFollowed else { return }
    let begun = clock()
    defer {
      let end = clock()
      restsUntil = end - begun < Self.cheapLook ? nil : end + (end - begun) * Self.restPerLook
    }
    do {
      if let touched = try store.changesByOthers() { note(touched) }
      isUnreadable = false
    } catch {
      // Told once: it is tried again in each turn.
      if !isUnreadable { onError(UpdateFailure(name: "store:on(\"remoteChange\")", reason: error)) }
      isUnreadable = true
    }
  }

  /// The watch on other connections' commits, for a waiting loop; nil without observers or other possible writers.
  ///
  /// From now on the rows of tables that are looked at are remembered where the store keeps no history, so that it can
  /// be said which of them others wrote.
  public var commitWatch: (any CommitWatch)? {
    guard isFollowed, let watch = store.commitWatch else { return nil }
    followTables(watch)
    return watch
  }

  /// Wakes a waiting loop when others commit, until the token is cancelled, for a program that reads again what it shows: no
  /// row is remembered, and no observer is told.
  public func followCommits(name: String) -> ObservationToken { remoteObservers.add(name, []) { _ in } }

  /// Has the rows of the tables remembered that somebody looks at now, and of no others.
  func followTables(_ watch: any CommitWatch) {
    let named = remoteObservers.namedTables
    let wanted = contexts.values.reduce(into: remoteObservers.tables) {
      $0.formUnion($1.context?.observedTables ?? [])
    }
    for table in wanted.subtracting(followedTables) { watch.follow(table: table, wholly: named.contains(table)) }
    for table in followedTables.subtracting(wanted) { watch.unfollow(table: table) }
    followedTables = wanted
  }

  func forget(_ context: ObjectContext) { contexts[ObjectIdentifier(context)] = nil }
}

/// What changes made live groups look at.
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

private struct WeakLiveContext {
  weak var context: LiveContext?
}
