import Foundation
import Glibc
import LiveQueries
import Modeling
import ObjectGraph
import Postgres
import PostgresStorage
import Queries
import Reactive
import Stores
import TestSupport
import Testing

/// Each row that a committed transaction has written is reported once, for any order in which transactions begin, write and
/// end.
@Suite(.seeded, .enabled(if: PostgresServer.isInstalled)) struct RemoteCommitsTests {
  private let server: PostgresServer
  private let database: String

  init() throws {
    server = try PostgresServer.shared.get()
    database = try server.makeDatabase(for: "commits")
  }

  static func model() throws -> Model {
    try Model([
      EntityDescription("Note", properties: [.attribute(Attribute("rank", .integer64))])
    ])
  }

  private func options() throws -> PostgresOptions {
    PostgresOptions(try PostgresAddress(server.address(of: database)))
  }

  private func make() throws -> PostgresStore {
    var options = try options()
    (options.model, options.create) = (try Self.model(), true)
    return try PostgresStore(options)
  }

  @Test(arguments: 0..<UInt64(Effort.rounds(4)))
  func whatTransactionsWroteIsToldOnceWhenTheyHaveEnded(seed: UInt64) throws {
    let store = try make()
    // Some have so many others beside them that the snapshot is long.
    let program = try CommitProgram(
      store, seed: seed, sessions: seed % 4 == 3 ? 40 : 6, server: server, database: database)
    try program.run(steps: 250)
    #expect(program.problems == [], "seed \(seed)")
    #expect(program.toldCount > 20)
  }

  @Test func aLookThatHadToWaitIsFollowedByNoRest() throws {
    let store = try make()
    let turn = Turn()
    let live = LiveStore(store, turn: turn)
    let context = ObjectContext(store: store)
    let notes = try FetchedResults(FetchRequest(store.model.entity(named: "Note")!), in: live.context(context))
    let locked =
      "SELECT count(*) FROM pg_locks WHERE relation = '_perilune_change'::regclass AND mode = 'AccessExclusiveLock'"
    let other = try server.startPsql(
      database,
      "BEGIN; INSERT INTO note VALUES (1, 1); LOCK TABLE _perilune_change; SELECT pg_sleep(0.3); COMMIT;")
    while try server.psql(database, locked) == "0", other.isRunning {}
    while notes.isEmpty { try turn.run() }
    #expect(live.restsUntil == nil)
  }

  @Test func whatSessionsCommitAtTheSameTimeIsToldOnceWhenNotified() throws {
    let store = try make()
    let (writers, commits) = (4, Effort.rounds(60))
    for key in 0..<writers * commits { _ = try store.sql("INSERT INTO note VALUES (\(key), 0)", []) }
    let turn = Turn()
    let live = LiveStore(store, turn: turn)
    let context = ObjectContext(store: store)
    let notes = try FetchedResults(FetchRequest(store.model.entity(named: "Note")!), in: live.context(context))
    var told: [Int64: Int] = [:]
    let token = notes.onChange { change in
      for entry in change.updated + change.moved { told[entry.objectID?.key ?? -1, default: 0] += 1 }
    }
    defer { token.cancel() }
    let processes = try (0..<writers).map { writer in
      var random = SplitMix(seed: 700 + writer)
      let script = (0..<commits).map { number -> String in
        let key = writer * commits + number
        let update = "UPDATE note SET rank = 1 WHERE _pk = \(key)"
        let pause = "SELECT pg_sleep(\(Double(random.below(20)) / 1000))"
        let undone = "BEGIN; UPDATE note SET rank = 2 WHERE _pk = \(key); \(pause); ROLLBACK; "
        return random.chance(oneIn: 3)
          ? "\(update);" : (random.chance(oneIn: 4) ? undone : "") + "BEGIN; \(update); \(pause); COMMIT;"
      }
      return try server.startPsql(database, script.joined(separator: "\n"))
    }
    let watch = try #require(live.commitWatch)
    var deadline: Double?
    while told.count < writers * commits, deadline.map({ monotonicSeconds() < $0 }) ?? true {
      var entry = pollfd(fd: watch.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, Int32(min(watch.pollInterval ?? 1, 0.5) * 1000))
      watch.drain()
      if watch.check() { try turn.run() }
      // Longer than the watch waits where no notification comes.
      if deadline == nil, processes.allSatisfy({ !$0.isRunning }) { deadline = monotonicSeconds() + 5 }
    }
    if told.count == writers * commits { for process in processes { process.waitUntilExit() } }
    #expect(processes.allSatisfy { !$0.isRunning && $0.terminationStatus == 0 })
    #expect(told.count == writers * commits && told.values.allSatisfy { $0 == 1 })
  }
}

/// Sessions that write in transactions of any length, and a store that follows them.
private final class CommitProgram {
  private enum Step { case write, begin, savepoint, commit, rollback }

  /// One session; it alone writes its rows, so that no session waits for another.
  private final class Session {
    let connection: PostgresConnection
    let keys: [Int64]
    var isInTransaction = false
    /// The rows that are there in the eyes of the session, and those that it has written since it began.
    var present: Set<Int64> = []
    var written: Set<Int64> = []
    /// The same at savepoints, and at the beginning.
    var marks: [(present: Set<Int64>, written: Set<Int64>)] = []

    init(_ connection: PostgresConnection, _ keys: [Int64]) { (self.connection, self.keys) = (connection, keys) }
  }

  private let store: PostgresStore
  private let server: PostgresServer
  private let database: String
  private let live: LiveStore
  private let turn = Turn()
  private let context: ObjectContext
  private let all: FetchedResults
  private let first: FetchedResults
  private var tokens: [ObservationToken] = []
  private var sessions: [Session] = []
  private var random: SplitMix
  /// The rows that were there when it was looked last, those that are there, and those that were written since.
  private var before: Set<Int64> = []
  private var present: Set<Int64> = []
  private var written: Set<Int64> = []
  /// The reports to observers since the last look.
  private var told: [String] = []
  private(set) var toldCount = 0
  private(set) var problems: [String] = []
  private var log: [String] = []

  init(_ store: PostgresStore, seed: UInt64, sessions count: Int, server: PostgresServer, database: String) throws {
    (self.store, self.server, self.database) = (store, server, database)
    random = SplitMix(seed: seed)
    live = LiveStore(store, turn: turn)
    context = ObjectContext(store: store)
    var request = FetchRequest(store.model.entity(named: "Note")!)
    request.sortDescriptors = [SortDescriptor("rank")]
    all = try FetchedResults(request, in: live.context(context))
    request.predicate = try Predicate.parse("rank < 60")
    request.fetchLimit = 7
    first = try FetchedResults(request, in: live.context(context))
    for number in 0..<count {
      let connection = try PostgresConnection(PostgresAddress(server.address(of: database))) { false }
      sessions.append(Session(connection, (0..<4).map { Int64(1 + number * 10 + $0) }))
    }
    tokens.append(
      all.onChange { [unowned self] change in
        if change.isReload { told.append("reload") }
        note("inserted", change.inserted)
        note("deleted", change.deleted)
        note("updated", change.updated + change.moved)
      })
    tokens.append(first.onChange { _ in })
    live.onError = { [unowned self] in problems.append("\($0)") }
  }

  private func note(_ kind: String, _ entries: [ResultsChange.Entry]) {
    // Rows beyond are the store's own.
    for entry in entries where entry.objectID?.key ?? 0 < Self.firstOwn {
      told.append("\(kind) \(entry.objectID?.key ?? 0)")
    }
  }

  private static let firstOwn: Int64 = 1_000_000

  func run(steps: Int) throws {
    for _ in 0..<steps where problems.isEmpty {
      switch random.below(20) {
      case 0, 1, 2: try look()
      case 3: try lookWithin()
      case 4: try save()
      case 5: if random.chance(oneIn: 4) { try cut() }
      default: try act(random.pick(sessions))
      }
    }
    for session in sessions where session.isInTransaction { try end(session, random.chance(oneIn: 2)) }
    try look()
    tokens = []
    live.stop()
    store.close()
    for session in sessions { session.connection.close() }
  }

  // MARK: What others do

  private func act(_ session: Session) throws {
    let step = random.pick([Step.write, .write, .write, .begin, .begin, .savepoint, .commit, .commit, .rollback])
    switch step {
    case .write: try write(session)
    case .begin where !session.isInTransaction:
      try session.connection.script("BEGIN")
      session.isInTransaction = true
      session.marks = [(session.present, session.written)]
    case .savepoint where session.isInTransaction:
      if session.marks.count > 1, random.chance(oneIn: 2) {
        try run(session, "ROLLBACK TO part")
        (session.present, session.written) = session.marks[session.marks.count - 1]
      } else if session.marks.count == 1 {
        try run(session, "SAVEPOINT part")
        session.marks.append((session.present, session.written))
      }
    case .commit where session.isInTransaction: try end(session, true)
    case .rollback where session.isInTransaction: try end(session, false)
    case .begin, .savepoint, .commit, .rollback: break
    }
  }

  private func run(_ session: Session, _ sql: String) throws {
    log.append("\(session.keys[0]): \(sql)")
    try session.connection.script(sql)
  }

  private func write(_ session: Session) throws {
    let key = random.pick(session.keys)
    let rank = random.below(100)
    if !session.present.contains(key) {
      try run(session, "INSERT INTO note (_pk, rank) VALUES (\(key), \(rank))")
      session.present.insert(key)
    } else if random.chance(oneIn: 3) {
      try run(session, "DELETE FROM note WHERE _pk = \(key)")
      session.present.remove(key)
    } else {
      try run(session, "UPDATE note SET rank = rank + \(1 + rank) WHERE _pk = \(key)")
    }
    session.written.insert(key)
    if !session.isInTransaction { publish(session) }
  }

  private func end(_ session: Session, _ isCommitted: Bool) throws {
    try run(session, isCommitted ? "COMMIT" : "ROLLBACK")
    session.isInTransaction = false
    if isCommitted { publish(session) } else { (session.present, session.written) = session.marks[0] }
    session.marks = []
  }

  private func publish(_ session: Session) {
    present.subtract(session.keys)
    present.formUnion(session.present)
    written.formUnion(session.written)
    session.written = []
  }

  // MARK: What the store does

  private func look() throws {
    try turn.run()
    expect(before: before)
    before = present
    written = []
    for results in [all, first] {
      let shown = results.objectIDs(0..<results.count).map(\.key)
      let fetched = try context.fetch(results.request).objectIDs.map(\.key)
      if shown != fetched { problem("shows \(shown), a fetch gives \(fetched)") }
    }
    log = []
  }

  /// What is committed while a snapshot is open belongs to the next look.
  private func lookWithin() throws {
    try store.reading {
      try look()
      for _ in 0..<4 { try act(random.pick(sessions)) }
      let (here, there) = (present, written)
      (present, written) = (before, [])
      try look()
      (present, written) = (here, there)
    }
  }

  /// A commit of the store's own, small, or so large that the follower skips it, tells nothing of others' and hides nothing.
  private func save() throws {
    let entity = store.model.entity(named: "Note")!
    let count = random.pick([1, 3, 150])
    log.append("save \(count)")
    try store.transaction {
      for _ in 0..<count {
        if random.chance(oneIn: 40) { try act(random.pick(sessions)) }
        _ = try store.insert(entity, [.int(Int64(random.below(100)))], key: nextOwn)
        nextOwn += 1
      }
    }
  }

  private var nextOwn = firstOwn

  /// The server ends the store's sessions.
  private func cut() throws {
    log.append("cut")
    let end =
      "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE datname = current_database() "
      + "AND pid <> pg_backend_pid() AND NOT pid = ANY('{\(sessions.map { "\($0.connection.processID)" }.joined(separator: ","))}')"
    try server.psql(database, end)
  }

  private func expect(before: Set<Int64>) {
    let expected = written.sorted().compactMap { key -> String? in
      switch (before.contains(key), present.contains(key)) {
      case (false, true): "inserted \(key)"
      case (true, false): "deleted \(key)"
      case (true, true): "updated \(key)"
      case (false, false): nil
      }
    }
    if told.sorted() != expected.sorted() { problem("told \(told.sorted()), committed \(expected.sorted())") }
    toldCount += told.count
    told = []
  }

  private func problem(_ text: String) { problems.append("\(text)\n  after \(log.joined(separator: "; "))") }
}
