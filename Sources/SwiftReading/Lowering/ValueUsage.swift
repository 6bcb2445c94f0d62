internal import Modeling
internal import SwiftParsing

/// How the values of a closure are used, to distinguish texts from collections.
///
/// Values are known by their source: `$0.place` that somewhere is compared with a text is a text elsewhere too.
struct ValueUsage {
  /// Every name in the closure.
  private(set) var names: Set<String> = []
  private var texts: Set<String> = []
  private var collections: Set<String> = []
  private let bytes: [UInt8]

  init(_ closure: ClosureSyntax, _ bytes: [UInt8]) {
    self.bytes = bytes
    add(closure)
  }

  /// Whether something is used as a text.
  func isText(_ syntax: SwiftSyntax) -> Bool { texts.contains(key(syntax)) }

  /// Whether something is used as a collection.
  func isCollection(_ syntax: SwiftSyntax) -> Bool { collections.contains(key(syntax)) }

  private func key(_ syntax: SwiftSyntax) -> String {
    let source = String(decoding: bytes[syntax.unwrapped.range], as: UTF8.self)
    return source.filter { !$0.isWhitespace && $0 != "?" && $0 != "!" }
  }

  private mutating func add(_ closure: ClosureSyntax) {
    for parameter in closure.parameters ?? [] { names.insert(parameter.name) }
    for statement in closure.statements {
      switch statement.kind {
      case .value(let value), .returned(let value): add(value)
      case .declaration(let declaration): declaration.value.map { add($0) }
      case .assignment, .scope, .type, .enumerationCase, .other: break
      }
    }
  }

  private mutating func add(_ syntax: SwiftSyntax) {
    switch syntax.kind {
    case .name(let name): names.insert(name)
    case .call(let callee, _, let arguments): addCall(callee, arguments)
    case .infix(let sign, let operands): addOperands(sign, operands)
    case .conditional(let conditional): add(conditional)
    case .closure(let closure): add(closure)
    default: syntax.children.forEach { add($0) }
    }
  }

  private mutating func add(_ conditional: SwiftConditional) {
    for condition in conditional.conditions {
      switch condition {
      case .value(let value): add(value)
      case .binding(let name, let value):
        names.insert(name)
        add(value)
      case .pattern: break
      }
    }
    add(conditional.then)
    conditional.otherwise.map { add($0) }
  }

  private mutating func addOperands(_ sign: String, _ operands: [SwiftSyntax]) {
    operands.forEach { add($0) }
    guard operands.count == 2, ["==", "!=", "<", ">", "<=", ">=", "??", "+"].contains(sign) else { return }
    for (one, other) in [(0, 1), (1, 0)] {
      if case .string = operands[one].unwrapped.kind { texts.insert(key(operands[other])) }
      if case .array = operands[one].unwrapped.kind { collections.insert(key(operands[other])) }
    }
  }

  private mutating func addCall(_ callee: SwiftSyntax, _ arguments: [SwiftArgument]) {
    add(callee)
    arguments.forEach { add($0.value) }
    guard case .member(let base?, let name) = callee.kind, let argument = arguments.first?.value else { return }
    let isClosure = if case .closure = argument.kind { true } else { false }
    let isString = if case .string = argument.kind { true } else { false }
    switch name {
    case "localizedStandardContains", "starts", "caseInsensitiveCompare", "localizedCompare",
      "localizedCaseInsensitiveCompare":
      texts.insert(key(base))
      texts.insert(key(argument))
    case "contains":
      if isString, !isArray(base) { texts.insert(key(base)) }
      if isClosure || isName(base) { collections.insert(key(base)) }
    case "filter", "allSatisfy": collections.insert(key(base))
    default: break
    }
  }

  private func isName(_ syntax: SwiftSyntax) -> Bool { if case .name = syntax.kind { true } else { false } }

  private func isArray(_ syntax: SwiftSyntax) -> Bool { if case .array = syntax.kind { true } else { false } }
}

extension SwiftSyntax {
  /// The values directly within this one.
  var children: [SwiftSyntax] {
    switch kind {
    case .literal, .string, .regularExpression, .name, .dictionary, .keyPath, .unreadable: []
    case .array(let elements): elements
    case .tuple(let arguments), .macro(_, _, let arguments), .message(_, let arguments): arguments.map(\.value)
    case .member(let base, _): base.map { [$0] } ?? []
    case .optionalChain(let base), .forced(let base), .prefix(_, let base), .postfix(let base, _),
      .cast(let base, _, _):
      [base]
    case .call(let callee, _, let arguments), .subscripted(let callee, let arguments):
      [callee] + arguments.map(\.value)
    case .infix(_, let operands): operands
    case .ternary(let condition, let first, let second): [condition, first, second]
    case .closure(let closure): closure.values
    case .conditional(let conditional): conditional.values
    }
  }
}

extension ClosureSyntax {
  /// The values of its statements.
  var values: [SwiftSyntax] {
    statements.flatMap { statement -> [SwiftSyntax] in
      switch statement.kind {
      case .value(let value), .returned(let value): [value]
      case .declaration(let declaration): declaration.value.map { [$0] } ?? []
      case .assignment(let left, let right): [left, right]
      case .scope, .type, .enumerationCase, .other: []
      }
    }
  }
}

extension SwiftConditional {
  /// The values of its conditions and branches.
  var values: [SwiftSyntax] {
    let tested = conditions.compactMap { condition in
      switch condition {
      case .value(let value), .binding(_, let value): value
      case .pattern: nil as SwiftSyntax?
      }
    }
    return tested + then.values + (otherwise?.values ?? [])
  }
}
