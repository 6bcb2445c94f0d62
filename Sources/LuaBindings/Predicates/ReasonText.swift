internal import Modeling
internal import ObjectGraph
internal import Queries

/// The reason why an object satisfies a predicate or not, as text: each clause with its mark, its result and its
/// values.
///
///     Quake us2: no match
///       ✗ magnitude >= 5                 4.9
///       ✓ place CONTAINS[c] "chile"      "Iquique, Chile"
///       would match if magnitude was at least 5 (is 4.9)
struct ReasonText {
  let context: ObjectContext
  var usesASCII = false

  private static let widestClause = 48

  /// A line whose columns are not yet aligned.
  private struct Line {
    var depth: Int
    var clause: String
    var values = ""
  }

  func text(_ reason: Reason, of object: ManagedObject, remedy: Remedy?) -> String {
    let answer = reason.answer == true ? "match" : reason.answer == false ? "no match" : "no match (neither)"
    var lines: [Line] = []
    if case .and = reason.clause {
      for clause in reason.clauses { add(clause, depth: 1, to: &lines) }
    } else {
      add(reason, depth: 1, to: &lines)
    }
    let widths = lines.filter { !$0.values.isEmpty }.map { 2 * $0.depth + $0.clause.count }
    let width = widths.filter { $0 <= Self.widestClause }.max() ?? 0
    let body = lines.map { line in
      let clause = String(repeating: "  ", count: line.depth) + line.clause
      if line.values.isEmpty { return clause }
      return clause + String(repeating: " ", count: max(0, width - clause.count) + 2) + line.values
    }
    let ending = reason.answer == true ? [] : ["  " + RemedyText(context: context).sentence(remedy)]
    return (["\(ObjectText.name(of: object)): \(answer)"] + body + ending).joined(separator: "\n")
  }

  private func mark(_ answer: Bool?) -> String {
    switch answer {
    case true?: usesASCII ? "+" : "✓"
    case false?: usesASCII ? "-" : "✗"
    case nil: "?"
    }
  }

  // MARK: Clauses

  private func add(_ reason: Reason, depth: Int, to lines: inout [Line]) {
    let name: String? =
      switch reason.clause {
      case .and: "AND"
      case .or: "OR"
      case .not: "NOT"
      default: nil
      }
    guard let name else { return addLeaf(reason, depth, &lines) }
    lines.append(Line(depth: depth, clause: "\(mark(reason.answer)) \(name)"))
    for clause in reason.clauses { add(clause, depth: depth + 1, to: &lines) }
  }

  private func addLeaf(_ reason: Reason, _ depth: Int, _ lines: inout [Line]) {
    var values = reason.elements.map { [words($0, reason)] } ?? []
    values += reason.operands.map { words($0, isAlone: reason.operands.count == 1 && reason.elements == nil) }
    let text = values.filter { !$0.isEmpty }.joined(separator: ", ")
    lines.append(
      Line(
        depth: depth, clause: "\(mark(reason.answer)) \(reason.clause)",
        values: text.isEmpty || reason.answer != nil ? text : "\(text): neither"))
    for operand in reason.operands { addDetails(of: operand, depth + 1, &lines) }
  }

  private func addDetails(of operand: OperandReason, _ depth: Int, _ lines: inout [Line]) {
    for branch in operand.branches {
      let taken = branch.answer == true ? "first" : "second"
      lines.append(Line(depth: depth, clause: "TERNARY takes its \(taken) value:"))
      add(branch, depth: depth + 1, to: &lines)
    }
    for selection in operand.selections {
      lines.append(Line(depth: depth, clause: words(selection)))
      if let example = selection.example { add(example.reason, depth: depth + 1, to: &lines) }
    }
  }

  // MARK: Values

  /// The text for a side; without its name if it is the only side and has a value.
  private func words(_ operand: OperandReason, isAlone: Bool) -> String {
    if let missing = operand.missing {
      return operand.isDangling ? "\(missing.text) leads to an object that is gone" : "\(missing.text) is nil"
    }
    if let miscast = operand.miscast {
      let object = miscast.object.components.isEmpty ? "the object" : miscast.object.text
      return "\(object) is a \(miscast.entity.name)"
    }
    // The SUBQUERY describes a list.
    if case .list = operand.value { return "" }
    var text = words(operand.value)
    if !isAlone || operand.value.isNull { text = "\(operand.expression) is \(text)" }
    if let folded = operand.foldedText { text += ", compared as \(Value.string(folded).shortText)" }
    let parts = operand.parts.map { words($0, isAlone: false) }.filter { !$0.isEmpty }
    return parts.isEmpty ? text : "\(text) (\(parts.joined(separator: ", ")))"
  }

  func words(_ value: Value) -> String {
    switch value {
    case .object(let id): name(id)
    case .date(let date): date.iso8601
    default: value.shortText
    }
  }

  private func name(_ id: ObjectID) -> String { ObjectText.name(of: context.object(id)) }

  private func words(_ element: ElementReason) -> String {
    guard let object = element.object else { return "element \(element.position): \(words(element.value))" }
    if case .object = element.value { return name(object) }
    return "\(name(object)): \(words(element.value))"
  }

  private func words(_ elements: ElementsReason, _ reason: Reason) -> String {
    let (count, matching) = (elements.count, elements.matchingCount)
    if count == 0 { return "\(elements.collection) is empty" }
    if case .comparison(let comparison) = reason.clause, comparison.modifier == .all {
      guard let failing = elements.deciding else { return "true of all \(Quantity.grouped(count))" }
      return "\(words(failing)) fails, \(Quantity.grouped(matching)) of \(Quantity.grouped(count)) match"
    }
    if let deciding = elements.deciding {
      return "\(words(deciding)), \(Quantity.grouped(matching)) of \(Quantity.grouped(count)) match"
    }
    return "none of \(Quantity.grouped(count))" + (elements.nearest.map { ", the nearest \(words($0))" } ?? "")
  }

  private func words(_ selection: SelectionReason) -> String {
    var text =
      "\(Quantity.grouped(selection.selectedCount)) of \(Quantity.grouped(selection.count)) in \(selection.collection)"
    guard let (element, _) = selection.example else { return text }
    text += selection.selectedCount > 0 ? ", the first $" : ", the nearest $"
    return text + "\(selection.variable) = \(words(element)):"
  }
}
