internal import LuaRuntime
internal import Modeling
internal import Plans
internal import Stores

/// The explanation of a request as a table that prints as text.
enum ExplanationTable {
  static func push(_ explanation: Explanation, of request: BoundRequest, _ call: Call) throws -> ReturnValue {
    let stack = call.stack
    stack.reserve(8)
    stack.pushTable(hash: 20)
    func set(_ name: String, _ value: Value) {
      call.engine.values.push(value, on: stack)
      stack.rawSet(field: name, at: -2)
    }
    set("sql", .string(explanation.sql))
    set("displaySQL", .string(explanation.displaySQL))
    set("arguments", .list(explanation.arguments))
    set("indexesUsed", .list(explanation.indexesUsed.map(Value.string)))
    set("tablesScanned", .list(explanation.tablesScanned.map(Value.string)))
    set("sortsInMemory", .bool(explanation.sortsInMemory))
    set("rowsReturned", .int(Int64(explanation.rowsReturned)))
    set("rowsScanned", .int(Int64(explanation.rowsScanned)))
    set("sorts", .int(Int64(explanation.sorts)))
    set("automaticIndexRows", .int(Int64(explanation.automaticIndexRows)))
    set("recompilations", .int(Int64(explanation.recompilations)))
    set("steps", .int(Int64(explanation.steps)))
    set("seconds", .double(explanation.seconds))
    set("words", .list(words(explanation.words).map(Value.string)))
    set("warnings", .list(explanation.warnings.map { .string($0.description) }))
    pushPlan(explanation, stack)
    stack.rawSet(field: "plan", at: -2)
    try AdviceTable.push(explanation.advice, of: request, call)
    stack.rawSet(field: "advice", at: -2)
    stack.setText(try text(of: explanation, request), kind: "Explanation")
    return .pushed(1)
  }

  private static func pushPlan(_ explanation: Explanation, _ stack: LuaStack) {
    stack.pushTable(array: Int32(clamping: explanation.plan.count))
    for (number, step) in explanation.plan.enumerated() {
      stack.pushTable(hash: 2)
      stack.push(step.depth)
      stack.rawSet(field: "depth", at: -2)
      stack.push(step.text)
      stack.rawSet(field: "text", at: -2)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
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
