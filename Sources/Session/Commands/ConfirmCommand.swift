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
    approving(asking: isAtPrompt && console.client.answersQuestions ? { console.client.confirms($0) } : nil, body)
  }

  /// Runs what a person entered; `asks` asks before it writes much, and returns whether it goes on. Without it nothing is asked.
  func approving<Result>(asking asks: ((String) -> Bool)?, _ body: () throws -> Result) rethrows -> Result {
    let outer = engine.host.approval
    engine.host.approval = Approval(
      changes: { try approve($0, asks, $1) }, sql: { approval(ofSQLOn: $0, asks) },
      reversal: { approve($0, $1, asks) })
    defer { engine.host.approval = outer }
    return try body()
  }

  /// Asks about changes that are about to be written; false refuses them. Inserts harm nothing.
  private func approve(
    _ counts: [Entity: WorkCounts], _ asks: ((String) -> Bool)?, _ rehearse: () throws -> Void
  ) throws -> Bool {
    try approve(
      asks, deleted: counts.map { ($0.key.name, $0.value.deleted) },
      updated: counts.map { ($0.key.name, $0.value.updated) },
      rehearse
    ) { "this \($0)" }
  }

  /// Asks about a save that is about to be undone or redone.
  private func approve(_ direction: SaveDirection, _ save: ReversibleSave, _ asks: ((String) -> Bool)?) -> Bool {
    func counts(_ ids: [ObjectID]) -> [(name: String, count: Int)] {
      Dictionary(grouping: ids, by: \.entity.name).map { ($0.key, $0.value.count) }
    }
    let author = save.author.map { " by \(DisplayText.picturingControls(in: $0, layout.charset))" } ?? ""
    let session = direction == .redo ? "" : save.isOwn ? " in this session" : " in another session"
    let way = direction == .undo ? "takes back" : "makes again"
    let time = Timestamp(save.time.seconds.rounded(.down)).iso8601
    return approve(asks, deleted: counts(save.deleted), updated: counts(save.updated), {}) {
      "this \(way) the save of \(time)\(author)\(session): it \($0)"
    }
  }

  /// Asks about rows that are about to be deleted or changed, if they are more than the limit; `rehearse` throws what refuses them.
  private func approve(
    _ asks: ((String) -> Bool)?, deleted: [(name: String, count: Int)], updated: [(name: String, count: Int)],
    _ rehearse: () throws -> Void, _ sentence: (String) -> String
  ) rethrows -> Bool {
    guard let asks, tools.dryRuns.dryRun == nil, let limit = settings.confirmLimit else { return true }
    let parts = [("deletes", deleted), ("changes", updated)].map { ($0, $1.filter { $0.count > 0 }) }
    guard parts.flatMap(\.1).reduce(0, { $0 + $1.count }) > limit else { return true }
    try rehearse()
    return asks(
      sentence(parts.filter { !$0.1.isEmpty }.map { "\($0) \(Quantity.list($1))" }.joined(separator: " and ")))
  }

  /// The question about SQL of a store that changes, deletes or drops more rows than the limit; nil if there is none. Changes that
  /// the store refuses need no question.
  private func approval(
    ofSQLOn store: any OpenedStore, _ asks: ((String) -> Bool)?
  ) -> (([StatementEffect]) -> Bool)? {
    guard let asks, !store.isReadOnly, tools.dryRuns.dryRun == nil, let limit = settings.confirmLimit else {
      return nil
    }
    return { effects in
      guard effects.reduce(0, { $0 + $1.rows }) > limit else { return true }
      return asks("this " + effects.filter { $0.rows > 0 }.map(Self.sentence).joined(separator: " and "))
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
}
