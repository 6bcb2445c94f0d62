internal import Modeling
internal import Stores

/// The explanation of a request as a table that prints as text.
enum ExplanationTable {
  static func answer(_ explanation: Explanation, of request: BoundRequest) throws -> ReturnValue {
    let plan = explanation.plan.map { step in
      ReturnValue.record([("depth", .integer(step.depth)), ("text", .text(step.text))])
    }
    return .printed(
      .record([
        ("sql", .text(explanation.sql)), ("displaySQL", .text(explanation.displaySQL)),
        ("arguments", .value(.list(explanation.arguments))), ("indexesUsed", .texts(explanation.indexesUsed)),
        ("tablesScanned", .texts(explanation.tablesScanned)), ("sortsInMemory", .boolean(explanation.sortsInMemory)),
        ("rowsReturned", .integer(explanation.rowsReturned)), ("rowsScanned", .integer(explanation.rowsScanned)),
        ("sorts", .integer(explanation.sorts)), ("automaticIndexRows", .integer(explanation.automaticIndexRows)),
        ("recompilations", .integer(explanation.recompilations)), ("steps", .integer(explanation.steps)),
        ("seconds", .number(explanation.seconds)), ("words", .texts(words(explanation.words))),
        ("warnings", .texts(explanation.warnings.map(\.description))), ("plan", .list(plan)),
        ("advice", try AdviceTable.list(explanation.advice, of: request)),
      ]), kind: "Explanation", text: try text(of: explanation, request))
  }

  /// A plan's sentences, indented by depth.
  static func words(_ words: [(depth: Int, text: String)]) -> [String] {
    words.map { String(repeating: "  ", count: $0.depth) + $0.text }
  }

  /// SQL, plan, cost, warnings and advice, one per line.
  private static func text(of explanation: Explanation, _ request: BoundRequest) throws -> String {
    var lines = [explanation.displaySQL]
    lines += words(explanation.words).map { "  " + $0 }
    let scanned = explanation.rowsScanned == 0 ? "" : ", \(Quantity.count(explanation.rowsScanned, "row")) scanned"
    let rows = Quantity.count(explanation.rowsReturned, "row")
    lines.append("  \(rows) in \(Quantity.duration(explanation.seconds))\(scanned)")
    lines += explanation.warnings.map { "warning: \($0)" }
    lines += try explanation.advice.map { "advice: \(try AdviceTable.text(of: $0, request))" }
    return lines.joined(separator: "\n")
  }
}
