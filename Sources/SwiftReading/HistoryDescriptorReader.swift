internal import Modeling
internal import Queries
internal import SwiftParsing

/// Reads the statements that make a `HistoryDescriptor`.
struct HistoryDescriptorReader {
  private var issues: SwiftIssues
  private let bytes: [UInt8]
  private var constants: SourceConstants
  private var found = SwiftHistoryDescriptor()
  /// Whether one was made.
  private var isFound = false

  init(_ text: String, issues: SwiftIssues) {
    self.issues = issues
    bytes = Array(text.utf8)
    constants = SourceConstants(bytes: bytes)
  }

  /// The descriptor that the statements make.
  mutating func descriptor(of statements: [SwiftStatement]) throws(SwiftReadingError) -> SwiftHistoryDescriptor {
    read(statements)
    if !isFound, issues.found.isEmpty {
      let start = bytes.firstIndex { $0 > 0x20 } ?? 0
      let end = bytes[start...].firstIndex { $0 == 0x0A } ?? bytes.count
      issues.report(
        .unexpected(found: source(start..<end), expected: "HistoryDescriptor<DefaultHistoryTransaction>(...)"),
        at: start..<end)
    }
    try issues.throwAll()
    return found
  }

  // MARK: Statements

  private mutating func read(_ statements: [SwiftStatement]) {
    for statement in statements {
      switch statement.kind {
      case .value(let value), .returned(let value): make(value)
      case .declaration(let declaration):
        guard let value = declaration.value else { continue }
        if let constant = constants.value(of: value) {
          constants[declaration.name] = .value(constant)
        } else {
          make(value)
        }
      case .assignment(let target, let value):
        if case .member(_, let name) = target.kind, isFound { set(name, value, at: target.range) }
      case .scope(_, _, let inner): read(inner)
      case .type(let type): read(type.statements)
      case .enumerationCase, .other: break
      }
    }
  }

  /// `HistoryDescriptor<DefaultHistoryTransaction>(predicate: ..., sortBy: [...])`
  private mutating func make(_ value: SwiftSyntax) {
    guard case .call(let callee, _, let arguments) = value.unwrapped.kind, case .name("HistoryDescriptor") = callee.kind
    else { return }
    found = SwiftHistoryDescriptor()
    isFound = true
    for argument in arguments { set(argument.label ?? "predicate", argument.value, at: argument.value.range) }
  }

  private mutating func set(_ name: String, _ value: SwiftSyntax, at range: Range<Int>) {
    switch name {
    case "predicate": readPredicate(value)
    case "fetchLimit": found.fetchLimit = operand(value)
    // A history is in the order in which it was written.
    case "sortBy": break
    default:
      let known = ["predicate", "fetchLimit", "sortBy"]
      issues.report(
        .unknownArgument(name, of: "HistoryDescriptor", nearest: nearestName(to: name, in: known)), at: range)
    }
  }

  // MARK: Conditions

  private mutating func readPredicate(_ value: SwiftSyntax) {
    if case .literal(.null) = value.kind { return }
    guard case .macro("Predicate", _, let arguments) = value.unwrapped.kind,
      case .closure(let closure)? = arguments.last?.value.kind
    else {
      issues.report(.unexpected(found: source(value.range), expected: "#Predicate { ... }"), at: value.range)
      return
    }
    let object = closure.parameters?.first?.name ?? "$0"
    for condition in closure.values { readCondition(condition, of: object) }
  }

  private mutating func readCondition(_ syntax: SwiftSyntax, of object: String) {
    switch syntax.unwrapped.kind {
    case .infix("&&", let terms): for term in terms { readCondition(term, of: object) }
    case .infix(let sign, let operands) where operands.count == 2:
      if let name = member(operands[0], of: object) {
        compare(name, sign, operands[1], syntax)
      } else if let name = member(operands[1], of: object) {
        let turned = ["<": ">", ">": "<", "<=": ">=", ">=": "<="]
        compare(name, turned[sign] ?? sign, operands[0], syntax)
      } else {
        refuse(syntax)
      }
    case .call(let callee, _, let arguments):
      guard case .member(let base?, "contains") = callee.kind, member(base, of: object) == "changes",
        case .closure(let closure)? = arguments.last?.value.kind
      else { return refuse(syntax) }
      readChange(closure, syntax)
    default: refuse(syntax)
    }
  }

  private mutating func compare(_ name: String, _ sign: String, _ value: SwiftSyntax, _ syntax: SwiftSyntax) {
    switch (name, sign) {
    case ("token", ">"): found.since = operand(value)
    case ("token", "<"): found.before = operand(value)
    case ("timestamp", "<"): found.beforeDate = operand(value)
    case ("author", "=="): found.author = operand(value)
    default: refuse(syntax)
    }
  }

  /// `$0.changedPersistentIdentifier.entityName == "Quake"`
  private mutating func readChange(_ closure: ClosureSyntax, _ syntax: SwiftSyntax) {
    let object = closure.parameters?.first?.name ?? "$0"
    guard closure.values.count == 1, case .infix("==", let operands) = closure.values[0].unwrapped.kind,
      case .member(let base?, "entityName") = operands[0].kind,
      member(base, of: object) == "changedPersistentIdentifier",
      case .string(let name)? = constants.value(of: operands[1])
    else { return refuse(syntax) }
    found.entity = .value(.string(name))
  }

  private mutating func refuse(_ syntax: SwiftSyntax) {
    issues.report(.historyCondition(source(syntax.range)), at: syntax.range)
  }

  /// The name in `$0.token`.
  private func member(_ syntax: SwiftSyntax, of object: String) -> String? {
    guard case .member(let base?, let name) = syntax.unwrapped.kind, case .name(object) = base.kind else { return nil }
    return name
  }

  private mutating func operand(_ syntax: SwiftSyntax) -> SwiftHistoryDescriptor.Operand? {
    if let value = constants.value(of: syntax) { return .value(value) }
    if case .name(let name) = syntax.unwrapped.kind { return .name(name) }
    issues.report(.notAConstant(source(syntax.range)), at: syntax.range)
    return nil
  }

  private func source(_ range: Range<Int>) -> String {
    let words = String(decoding: bytes[range].prefix(400), as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let line = words.joined(separator: " ")
    return line.count > 60 ? line.prefix(57) + "..." : line
  }
}
