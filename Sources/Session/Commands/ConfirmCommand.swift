internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Stores

// A line at the prompt that changes or deletes many objects is asked about before anything is written.
struct ConfirmCommand: CommandGroup {
  let tools: CommandTools

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
      changes: { try approve($0, $1) }, sql: { approval(ofSQLOn: $0) },
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
    guard isAtPrompt, console.client.answersQuestions, tools.dryRuns.dryRun == nil, let limit = settings.confirmLimit
    else {
      return true
    }
    let parts = [("deletes", deleted), ("changes", updated)].map { ($0, $1.filter { $0.count > 0 }) }
    guard parts.flatMap(\.1).reduce(0, { $0 + $1.count }) > limit else { return true }
    try rehearse()
    return goesOn(
      sentence(parts.filter { !$0.1.isEmpty }.map { "\($0) \(Quantity.list($1))" }.joined(separator: " and ")))
  }

  /// The question about SQL of a store that changes, deletes or drops more rows than the limit; nil if there is none. Changes that
  /// the store refuses need no question.
  private func approval(ofSQLOn store: any OpenedStore) -> (([StatementEffect]) -> Bool)? {
    guard !store.isReadOnly, isAtPrompt, console.client.answersQuestions, tools.dryRuns.dryRun == nil,
      let limit = settings.confirmLimit
    else { return nil }
    return { effects in
      guard effects.reduce(0, { $0 + $1.rows }) > limit else { return true }
      return goesOn("this " + effects.filter { $0.rows > 0 }.map(Self.sentence).joined(separator: " and "))
    }
  }

  private static func sentence(_ effect: StatementEffect) -> String {
    let rows = Quantity.count(effect.rows, "row")
    let verb =
      switch effect.kind {
      case .deletion: "deletes"
      case .change: "changes"
      case .drop: "drops"
      }
    guard let table = effect.table, !table.isEmpty else { return "\(verb) \(rows)" }
    return effect.kind == .drop ? "drops \(table) with \(rows)" : "\(verb) \(rows) of \(table)"
  }

  private func goesOn(_ what: String) -> Bool {
    console.client.confirms(what)
  }
}
