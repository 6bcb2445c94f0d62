internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

/// Reasons as tables: `{ clause = , value = , clauses = , operands = , elements = }`, where a nil value means neither.
struct ReasonTable {
  let context: BoundContext

  private typealias Fields = [(name: String, value: ReturnValue)]

  /// The reason why the object in the first argument satisfies a predicate, or not: a table that prints as text.
  static func answer(_ predicate: Queries.Predicate, _ call: Call) throws -> ReturnValue {
    guard let (object, context) = call.engine.values.objectAndContext(at: call.index(1), on: call.stack) else {
      throw call.expected("an object", 1)
    }
    try context.checkOpen(call.place)
    let reason = try predicate.reason(for: object)
    let remedy = reason.answer == true ? nil : try predicate.remedy(for: object)
    let text = ReasonText(context: context.objectContext, usesASCII: call.engine.options.usesASCII)
    let table = ReasonTable(context: context)
    let fields: Fields = [
      ("object", .pushing { try context.push(object, on: $0) }),
      ("changes", remedy.map { .list($0.changes.map(table.change)) } ?? .luaNil),
    ]
    return .printed(
      .record(table.fields(reason) + fields), kind: "Reason", text: text.text(reason, of: object, remedy: remedy))
  }

  /// A necessary change: `{ text = , property = , value = , current = }`.
  private func change(_ change: Remedy.Change) -> ReturnValue {
    var fields: Fields = [("text", .text(RemedyText(context: context.objectContext).words(change)))]
    if let attribute = change.attribute {
      fields.append(("property", .text(attribute.name)))
      fields.append(("current", .pushing { [context] in try context.push(change.current, of: attribute, on: $0) }))
    }
    if let value = change.value {
      // An explicit nil, to distinguish it from no value.
      let null = value.isNull ? context.engine.values.null : nil
      fields.append(
        (
          "value",
          null.map { .reference($0) }
            ?? .pushing { [context] in
              try context.push(value, of: change.attribute, on: $0)
            }
        ))
    }
    return .record(fields)
  }

  private func fields(_ reason: Reason) -> Fields {
    var fields: Fields = [("clause", .text(reason.clause.description))]
    if let answer = reason.answer { fields.append(("value", .boolean(answer))) }
    fields += list("clauses", reason.clauses) { self.fields($0) }
    fields += list("operands", reason.operands) { self.fields($0) }
    if let elements = reason.elements { fields.append(("elements", .record(self.fields(elements)))) }
    if case .comparison(let comparison) = reason.clause {
      for operand in reason.operands {
        if operand.expression == comparison.left { fields.append(("left", value(operand.value))) }
        if operand.expression == comparison.right { fields.append(("right", value(operand.value))) }
      }
    }
    return fields
  }

  private func fields(_ operand: OperandReason) -> Fields {
    let fields: Fields = [
      ("expression", .text(operand.expression.description)), ("value", value(operand.value)),
      ("missing", .text(operand.missing?.text)), ("miscast", .text(operand.miscast?.entity.name)),
      ("isDangling", operand.isDangling ? .boolean(true) : .luaNil), ("foldedText", .text(operand.foldedText)),
    ]
    return fields + list("parts", operand.parts) { self.fields($0) }
      + list("branches", operand.branches) { self.fields($0) }
      + list("selections", operand.selections) { self.fields($0) }
  }

  private func fields(_ elements: ElementsReason) -> Fields {
    [
      ("collection", .text(elements.collection.description)), ("count", .integer(elements.count)),
      ("matchingCount", .integer(elements.matchingCount)), ("deciding", element(elements.deciding)),
      ("nearest", element(elements.nearest)),
    ]
  }

  private func fields(_ selection: SelectionReason) -> Fields {
    let fields: Fields = [
      ("collection", .text(selection.collection.description)), ("count", .integer(selection.count)),
      ("selectedCount", .integer(selection.selectedCount)),
    ]
    guard let (element, reason) = selection.example else { return fields }
    return fields + [("example", self.element(element)), ("reason", .record(self.fields(reason)))]
  }

  private func element(_ element: ElementReason?) -> ReturnValue {
    guard let element else { return .luaNil }
    return .record([
      ("position", .integer(element.position)), ("value", value(element.value)),
      ("object", element.object.map { value(.object($0)) } ?? .luaNil),
    ])
  }

  // MARK: Fields

  /// A field with a list; none for no elements.
  private func list<Element>(_ name: String, _ elements: [Element], _ fields: (Element) -> Fields) -> Fields {
    elements.isEmpty ? [] : [(name, .list(elements.map { .record(fields($0)) }))]
  }

  /// A value of the object; object IDs become objects.
  private func value(_ value: Value) -> ReturnValue {
    .pushing { [context] in try context.push(value, on: $0) }
  }
}
