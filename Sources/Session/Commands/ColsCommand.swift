internal import LuaBindings
internal import Modeling
internal import Presentation

struct ColsCommand: CommandGroup {
  let tools: CommandTools

  var all: [Command] { [colsCommand] }

  /// `.cols [NAME, ... | all | off]`
  var colsCommand: Command {
    Command(
      name: "cols", arguments: "[NAME, ...|all|off]",
      summary: "the columns of the last table, or which ones tables of its entity have from now on",
      parameters: [.words { columnCandidates }], takesText: true, inSandbox: .allowed
    ) {
      (invocation) throws(CommandFailure) in
      let text = invocation.text
      let separated =
        text.contains(",")
        ? text.split(separator: ",").map { String($0).trimmingSpace }
        : text.split(whereSeparator: \.isWhitespace).map(String.init)
      let names = separated.filter { !$0.isEmpty }
      guard let table = settings.lastTable else {
        return try refuseColumns("no table was shown yet; show one, then choose its columns")
      }
      if names.isEmpty { return printText(columnText(table)) }
      guard let entity = entityOfLastTable else {
        return try refuseColumns("the last table had no objects of an entity; .cols chooses the columns of those alone")
      }
      switch names {
      case ["all"]: settings.columnChoices[entity.name] = .all
      case ["off"]: settings.columnChoices[entity.name] = nil
      default:
        try perform {
          _ = try EntityColumns(entity, isData: false, only: names.map { ColumnRequest(question: .text($0)) })
        }
        settings.columnChoices[entity.name] = .chosen(names)
      }
    }
  }

  private func refuseColumns(_ message: String) throws(CommandFailure) {
    console.warn(message)
    throw .failed(status: ExitStatus.failed)
  }

  private var entityOfLastTable: Entity? {
    settings.lastTable?.rowName.flatMap { engine.store?.model.entity(named: $0) }
  }

  private var columnCandidates: [Completions.Candidate] {
    let names = entityOfLastTable?.properties.map(\.name) ?? []
    return (names + ["all", "off"]).map { Completions.Candidate($0) }
  }

  /// Says which columns the last table had, which it had not, and why.
  private func columnText(_ table: ShownTable) -> String {
    func names(_ names: [String]) -> String {
      names.map { DisplayText.picturingControls(in: $0, layout.charset) }.joined(separator: ", ")
    }
    var text = "shown: \(names(table.shown))\n"
    if !table.dropped.isEmpty {
      let window = layout.width.map { "no room in \($0) columns" } ?? "no room"
      text += "left out (\(window)): \(names(table.dropped))\n"
    }
    guard let entity = entityOfLastTable else { return text }
    let known = Set(table.shown + table.dropped)
    let others = entity.properties.map(\.name).filter { !known.contains($0) }
    if !others.isEmpty { text += "left out (not chosen; .cols off shows them): \(names(others))\n" }
    return text
  }
}
