internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Presentation

extension EngineSession {
  /// The most lines that a profile lists.
  private static let mostLines = 20

  /// Says which lines took how long and with how many queries, the slowest first, and which asked for each object apart.
  func tellProfile() {
    let lines = engine.lua.profiledLines.filter { !["params", "specs", "session", "fields"].contains($0.source) }
    let total = lines.reduce(0) { $0 + $1.seconds }
    let queries = lines.reduce(0) { $0 + $1.queries }
    let slowest = lines.sorted { ($1.seconds, $0.source, $0.line) < ($0.seconds, $1.source, $1.line) }.prefix(
      Self.mostLines)
    var rows = [["time", "share", "runs", "queries", "in queries", "line"]]
    for line in slowest {
      // Rounded down: together they are not more than the whole.
      let share = total > 0 ? Int(line.seconds / total * 100) : 0
      rows.append([
        Quantity.duration(line.seconds), "\(share) %", Quantity.grouped(line.count),
        line.queries == 0 ? "" : Quantity.grouped(line.queries),
        line.queries == 0 ? "" : Quantity.duration(line.querySeconds),
        "\(line.source):\(line.line)",
      ])
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let count = queries == 1 ? "1 query" : "\(Quantity.grouped(queries)) queries"
    var text = "profile: \(Quantity.duration(total)) in \(Quantity.count(lines.count, "line")), \(count)\n"
    for row in rows {
      let cells = row.enumerated().map { column, cell in
        column == row.count - 1 ? cell : String(repeating: " ", count: widths[column] - cell.count) + cell
      }
      text += "  " + cells.joined(separator: "  ") + "\n"
    }
    if lines.count > slowest.count { text += "  and \(Quantity.count(lines.count - slowest.count, "line")) more\n" }
    for line in engine.reads.lines.filter(\.isMany).prefix(10) { text += "  " + line.sentence + "\n" }
    surroundings.say(DisplayText.picturingControls(in: text, surroundings.charset, keepingLines: true))
  }
}
