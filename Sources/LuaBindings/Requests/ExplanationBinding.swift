internal import LuaRuntime
internal import Modeling
internal import Storage

/// How the store answers a request, as a table that prints as text.
enum ExplanationBinding {
  static func push(_ explanation: Explanation, _ call: Call) throws -> Int32 {
    let stack = call.stack
    stack.reserve(8)
    stack.pushTable(hash: 9)
    func set(_ name: String, _ value: Value) {
      call.engine.push(value, on: stack)
      stack.rawSet(field: name, at: -2)
    }
    set("sql", .string(explanation.sql))
    set("arguments", .list(explanation.arguments))
    set("indexesUsed", .list(explanation.indexesUsed.map(Value.string)))
    set("tablesScanned", .list(explanation.tablesScanned.map(Value.string)))
    set("sortsInMemory", .bool(explanation.sortsInMemory))
    set("rowsReturned", .int(Int64(explanation.rowsReturned)))
    set("rowsScanned", .int(Int64(explanation.rowsScanned)))
    set("seconds", .double(explanation.seconds))
    stack.pushTable(array: Int32(explanation.plan.count))
    for (number, step) in explanation.plan.enumerated() {
      stack.pushTable(hash: 2)
      stack.push(step.depth)
      stack.rawSet(field: "depth", at: -2)
      stack.push(step.text)
      stack.rawSet(field: "text", at: -2)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    stack.rawSet(field: "plan", at: -2)
    stack.setText(text(of: explanation), kind: "Explanation")
    return 1
  }

  /// SQL, values, plan and cost, a thing a line.
  private static func text(of explanation: Explanation) -> String {
    var lines = [explanation.sql]
    if !explanation.arguments.isEmpty {
      lines.append("  with \(explanation.arguments.map(\.debugText).joined(separator: ", "))")
    }
    lines += explanation.plan.map { String(repeating: "  ", count: $0.depth + 1) + $0.text }
    if !explanation.indexesUsed.isEmpty {
      lines.append("  indexes: \(explanation.indexesUsed.joined(separator: ", "))")
    }
    if !explanation.tablesScanned.isEmpty {
      lines.append("  scans: \(explanation.tablesScanned.joined(separator: ", "))")
    }
    if explanation.sortsInMemory { lines.append("  sorts in memory") }
    let milliseconds = (explanation.seconds * 100_000).rounded() / 100
    lines.append(
      "  \(ErrorReport.count(explanation.rowsReturned, "row")), \(explanation.rowsScanned) read, \(milliseconds) ms")
    return lines.joined(separator: "\n")
  }
}
