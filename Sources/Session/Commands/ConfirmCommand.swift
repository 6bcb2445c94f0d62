internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import SQLiteStorage
internal import Stores

// A line at the prompt that changes or deletes many objects is asked about before anything is written.
struct ConfirmCommand: SessionPart {
  unowned let session: Session

  var all: [Command] { [confirmCommand] }

  /// `.confirm [N|off]`
  var confirmCommand: Command {
    Command(
      name: "confirm", arguments: "[N|off]", summary: "ask before a line changes or deletes more than so many objects",
      parameters: [.oneOf("100", "1", "off")],
      inSandbox: .allowed
    ) { (invocation) throws(CommandFailure) in
      switch try invocation.optionalArgument() {
      case nil: printText(".confirm \(settings.confirmLimit.map(String.init) ?? "off")\n")
      case "off": settings.confirmLimit = nil
      case let number?:
        guard let limit = Int(number), limit >= 0 else {
          throw .invalidArgument(number, expected: ["a number", "off"], nearest: nil)
        }
        settings.confirmLimit = limit
      }
    }
  }

  /// Runs what a person typed, who is asked before it writes much.
  func approving(_ body: () -> Int32) -> Int32 {
    let outer = engine.host.approval
    engine.host.approval = Approval(
      changes: { try approve($0, $1) }, sql: { try approve(sql: $0, $1, in: $2) },
      serverSQL: { try approval(ofSQL: $0, $1, on: $2) },
      reversal: { try approve($0, $1) })
    defer { engine.host.approval = outer }
    return body()
  }

  /// Asks about changes that are about to be written; false refuses them. Inserts harm nothing.
  private func approve(_ counts: [Entity: WorkCounts], _ rehearse: () throws -> Void) throws -> Bool {
    try approve(
      deleted: counts.map { ($0.key.name, $0.value.deleted) }, updated: counts.map { ($0.key.name, $0.value.updated) },
      rehearse
    ) { "this \($0)" }
  }

  /// Asks about a save that is about to be undone or redone.
  private func approve(_ direction: SaveDirection, _ save: ReversibleSave) throws -> Bool {
    func counts(_ ids: [ObjectID]) -> [(name: String, count: Int)] {
      Dictionary(grouping: ids, by: \.entity.name).map { ($0.key, $0.value.count) }
    }
    let author = save.author.map { " by \(DisplayText.picturingControls(in: $0, layout.charset))" } ?? ""
    let session = direction == .redo ? "" : save.isOwn ? " in this session" : " in another session"
    let way = direction == .undo ? "takes back" : "makes again"
    let time = Timestamp(save.time.seconds.rounded(.down)).iso8601
    return approve(deleted: counts(save.deleted), updated: counts(save.updated), {}) {
      "this \(way) the save of \(time)\(author)\(session): it \($0)"
    }
  }

  /// Asks about rows that are about to be deleted or changed, if they are more than the limit; `rehearse` throws what refuses them.
  private func approve(
    deleted: [(name: String, count: Int)], updated: [(name: String, count: Int)], _ rehearse: () throws -> Void,
    _ sentence: (String) -> String
  ) rethrows -> Bool {
    guard isAtPrompt, session.client.answersQuestions, session.dryRun == nil, let limit = settings.confirmLimit else {
      return true
    }
    let parts = [("deletes", deleted), ("changes", updated)].map { ($0, $1.filter { $0.count > 0 }) }
    guard parts.flatMap(\.1).reduce(0, { $0 + $1.count }) > limit else { return true }
    try rehearse()
    return goesOn(
      sentence(parts.filter { !$0.1.isEmpty }.map { "\($0) \(Session.listed($1))" }.joined(separator: " and ")))
  }

  /// Asks about SQL that would change, delete or drop more rows of a store than the limit; false refuses it.
  func approve(sql text: String, _ values: [Value] = [], in store: SQLiteStore) throws -> Bool {
    // Changes that the store refuses need no question.
    guard !store.isReadOnly, isAtPrompt, session.client.answersQuestions, session.dryRun == nil,
      let limit = settings.confirmLimit
    else { return true }
    // The statement itself reports a mistake.
    let changes = SQLChange.changes(of: text, values).filter { $0.verb != "empties" }.compactMap { change in
      (try? Self.number(change.count, change.arguments, in: store)).map { (change, $0) }
    }
    return approve(changes.map { ($1, Self.sentence($0.verb, $1, $0.table)) }, limit)
  }

  /// Asks about parts of a text with their numbers of rows, if these are more than the limit.
  private func approve(_ parts: [(rows: Int, sentence: String)], _ limit: Int) -> Bool {
    guard parts.reduce(0, { $0 + $1.rows }) > limit else { return true }
    return goesOn("this " + parts.filter { $0.rows > 0 }.map(\.sentence).joined(separator: " and "))
  }

  private static func sentence(_ verb: String, _ count: Int, _ table: String?) -> String {
    let rows = Quantity.count(count, "row")
    guard let table, !table.isEmpty else { return "\(verb) \(rows)" }
    return verb == "drops" ? "drops \(table) with \(rows)" : "\(verb) \(rows) of \(table)"
  }

  /// The question about SQL on a server: the tables that it would empty and drop are counted beforehand, the rows that it
  /// has changed and deleted are known before they are kept. Nil if there is no question.
  private func approval(ofSQL text: String, _ values: [Value], on store: any OpenedStore) throws
    -> (([StatementEffect]) throws -> Bool)?
  {
    guard !store.isReadOnly, isAtPrompt, session.client.answersQuestions, session.dryRun == nil,
      let limit = settings.confirmLimit
    else { return nil }
    var gone: [(rows: Int, sentence: String)] = []
    for change in SQLChange.changes(of: text, values) where ["drops", "empties"].contains(change.verb) {
      for table in change.tables {
        // An error would end the transaction that may be open.
        let there = try Self.number(
          "SELECT CASE WHEN to_regclass($1::text) IS NULL THEN 0 ELSE 1 END", [.string(table)], in: store)
        guard there == 1 else { continue }
        let count = try Self.number("SELECT count(*) FROM \(table)", [], in: store)
        gone.append((count, Self.sentence(change.verb == "drops" ? "drops" : "deletes", count, table)))
      }
    }
    return { [gone] effects in
      let parts = effects.map { effect in
        let verb = effect.kind == .deletion ? "deletes" : "changes"
        return (effect.rows, Self.sentence(verb, effect.rows, SQLChange.changes(of: effect.statement).first?.table))
      }
      return approve(gone + parts, limit)
    }
  }

  private static func number(_ sql: String, _ arguments: [Value], in store: any OpenedStore) throws -> Int {
    let cursor = try store.sql(sql, arguments)
    defer { cursor.close() }
    guard try cursor.step(), case .int(let count) = cursor.value(0) else { return 0 }
    return Int(count)
  }

  private func goesOn(_ what: String) -> Bool {
    session.client.confirms(what)
  }
}
