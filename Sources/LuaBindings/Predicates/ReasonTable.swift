internal import LuaRuntime
internal import Modeling
internal import Queries

/// Converts reasons to Lua tables: `{ clause = , value = , clauses = , operands = , elements = }`, where a nil value
/// means neither.
struct ReasonTable {
  let context: BoundContext
  let stack: LuaStack

  func push(_ reason: Reason) throws {
    stack.reserve(10)
    stack.pushTable(hash: 6)
    set("clause", .string(reason.clause.description))
    if let answer = reason.answer { set("value", .bool(answer)) }
    try list("clauses", reason.clauses) { try push($0) }
    try list("operands", reason.operands) { try push($0) }
    if let elements = reason.elements {
      try push(elements)
      stack.rawSet(field: "elements", at: -2)
    }
    if case .comparison(let comparison) = reason.clause {
      for operand in reason.operands {
        if operand.expression == comparison.left { try setValue("left", operand.value) }
        if operand.expression == comparison.right { try setValue("right", operand.value) }
      }
    }
  }

  private func push(_ operand: OperandReason) throws {
    stack.reserve(10)
    stack.pushTable(hash: 6)
    set("expression", .string(operand.expression.description))
    try setValue("value", operand.value)
    if let missing = operand.missing { set("missing", .string(missing.text)) }
    if let miscast = operand.miscast { set("miscast", .string(miscast.entity.name)) }
    if operand.isDangling { set("isDangling", .bool(true)) }
    if let text = operand.foldedText { set("foldedText", .string(text)) }
    try list("parts", operand.parts) { try push($0) }
    try list("branches", operand.branches) { try push($0) }
    try list("selections", operand.selections) { try push($0) }
  }

  private func push(_ elements: ElementsReason) throws {
    stack.reserve(10)
    stack.pushTable(hash: 5)
    set("collection", .string(elements.collection.description))
    set("count", .int(Int64(elements.count)))
    set("matchingCount", .int(Int64(elements.matchingCount)))
    try push("deciding", elements.deciding)
    try push("nearest", elements.nearest)
  }

  private func push(_ selection: SelectionReason) throws {
    stack.reserve(10)
    stack.pushTable(hash: 5)
    set("collection", .string(selection.collection.description))
    set("count", .int(Int64(selection.count)))
    set("selectedCount", .int(Int64(selection.selectedCount)))
    guard let (element, reason) = selection.example else { return }
    try push("example", element)
    try push(reason)
    stack.rawSet(field: "reason", at: -2)
  }

  private func push(_ name: String, _ element: ElementReason?) throws {
    guard let element else { return }
    stack.reserve(6)
    stack.pushTable(hash: 3)
    set("position", .int(Int64(element.position)))
    try setValue("value", element.value)
    if let object = element.object { try setValue("object", .object(object)) }
    stack.rawSet(field: name, at: -2)
  }

  // MARK: Fields

  private func list<Element>(_ name: String, _ elements: [Element], _ push: (Element) throws -> Void) throws {
    guard !elements.isEmpty else { return }
    stack.reserve(6)
    stack.pushTable(array: Int32(clamping: elements.count))
    for (number, element) in elements.enumerated() {
      try push(element)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    stack.rawSet(field: name, at: -2)
  }

  /// Sets a field to a value that is not an object.
  private func set(_ name: String, _ value: Value) {
    context.engine.push(value, on: stack)
    stack.rawSet(field: name, at: -2)
  }

  /// Sets a field to a value of the object; object IDs become objects.
  private func setValue(_ name: String, _ value: Value) throws {
    try context.push(value, on: stack)
    stack.rawSet(field: name, at: -2)
  }
}
