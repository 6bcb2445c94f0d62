internal import LuaRuntime
internal import Modeling
internal import Plans
internal import Stores

/// Suggested indexes, as tables that print as their declarations.
enum AdviceTable {
  /// Pushes the list.
  static func push(_ advice: [IndexAdvice], of request: BoundRequest, _ call: Call) throws {
    let stack = call.stack
    stack.reserve(10)
    stack.pushTable(array: Int32(clamping: advice.count))
    for (number, index) in advice.enumerated() {
      stack.pushTable(hash: 4)
      stack.push(index.entity.name)
      stack.rawSet(field: "entity", at: -2)
      call.engine.values.push(.list(index.keys.map { .string(($0.isAscending ? "" : "-") + $0.name) }), on: stack)
      stack.rawSet(field: "keys", at: -2)
      stack.push(try request.context.store.file(request.place).statement(making: index))
      stack.rawSet(field: "sql", at: -2)
      if let model = index.modelText {
        stack.push(model)
        stack.rawSet(field: "model", at: -2)
      }
      stack.setText(try text(of: index, request), kind: "Advice")
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
  }

  /// The declaration: in the model for a store of our own, otherwise SQL.
  static func text(of index: IndexAdvice, _ request: BoundRequest) throws -> String {
    let store = try request.context.store.file(request.place)
    if store.kind == .perilune, let model = index.modelText { return "\(index.entity.name): \(model)" }
    return try store.statement(making: index)
  }
}
