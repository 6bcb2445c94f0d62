internal import Modeling
internal import Queries
internal import SwiftParsing

extension PredicateLowering {
  mutating func lower(call syntax: SwiftSyntax) -> Lowered {
    guard case .call(let callee, _, let arguments) = syntax.kind else { return .nothing }
    guard case .member(let base?, let method) = callee.kind else { return refuseCall(callee, syntax) }
    if method == "evaluate", case .name(let name) = base.kind, scope[name] == nil {
      return evaluate(name, arguments, syntax)
    }
    guard Self.methods.contains(method), surroundings == nil || !arguments.isEmpty else {
      if !dependsOnObject(syntax) { return reportComputed(syntax) }
      return refuseMethod(method, base, arguments, syntax)
    }
    if !dependsOnObject(syntax), !isCollectionOfConstants(base) { return reportComputed(syntax) }
    let lowered = lower(base)
    if lowered.isNothing {
      arguments.forEach { lowerForMistakes($0.value) }
      return .nothing
    }
    if method != "flatMap", refuseOptional(lowered, base) { return .nothing }
    var result = call(method, lowered, base, arguments, syntax)
    result.isChained = lowered.isChained || method == "flatMap"
    if !["flatMap", "min", "max"].contains(method), result.isOptional == nil { result.isOptional = false }
    return result
  }

  private static let methods: Set<String> = [
    "contains", "starts", "localizedStandardContains", "caseInsensitiveCompare", "localizedCompare",
    "localizedCaseInsensitiveCompare", "filter", "allSatisfy", "flatMap", "min", "max",
  ]

  private func isCollectionOfConstants(_ syntax: SwiftSyntax) -> Bool {
    switch syntax.unwrapped.kind {
    case .array, .infix, .prefix, .postfix, .name, .string: true
    default: false
    }
  }

  // MARK: Refusals

  private mutating func refuseCall(_ callee: SwiftSyntax, _ syntax: SwiftSyntax) -> Lowered {
    if !dependsOnObject(syntax) { return reportComputed(syntax) }
    issues.report(.call(source(callee)), at: syntax.range)
    return .nothing
  }

  private mutating func refuseMethod(
    _ method: String, _ base: SwiftSyntax, _ arguments: [SwiftArgument], _ syntax: SwiftSyntax
  ) -> Lowered {
    if dependsOnObject(base) {
      let end = base.range.upperBound
      let nameEnd = min(bytes.count, end + 1 + method.utf8.count)
      issues.report(.method(method), at: min(end + 1, nameEnd)..<nameEnd)
      _ = lower(base)
    } else {
      issues.report(.call(source(base) + "." + method), at: syntax.range)
    }
    return .nothing
  }

  /// Lowers a value whose meaning is lost already, to find its mistakes.
  private mutating func lowerForMistakes(_ syntax: SwiftSyntax) {
    if case .closure = syntax.kind { return }
    _ = lower(syntax)
  }

  /// Reports the wrong arguments of a method.
  mutating func expected(_ what: String, _ syntax: SwiftSyntax) -> Lowered {
    issues.report(.unexpected(found: source(syntax), expected: what), at: syntax.range)
    return .nothing
  }

  // MARK: Methods

  private mutating func call(
    _ method: String, _ base: Lowered, _ source: SwiftSyntax, _ arguments: [SwiftArgument], _ syntax: SwiftSyntax
  ) -> Lowered {
    let argument = arguments.first?.value
    if method == "min" || method == "max" {
      guard arguments.isEmpty else { return expected("\(method)() of the values themselves", syntax) }
      return extreme(method == "min" ? .minimum : .maximum, of: base, source)
    }
    guard let argument, arguments.count == 1 else { return expected("one argument", syntax) }
    if case .closure(let closure) = argument.kind {
      return call(method, base, source, closure, syntax)
    }
    switch method {
    case "contains": return contains(base, source, argument, syntax)
    case "starts": return compare(base, source, .beginsWith, [], argument, syntax)
    case "localizedStandardContains":
      return compare(
        base, source, .contains, [.caseInsensitive, .diacriticInsensitive, .localeSensitive], argument, syntax)
    case "caseInsensitiveCompare": return ordering(base, source, .caseInsensitive, argument)
    case "localizedCompare": return ordering(base, source, .localeSensitive, argument)
    case "localizedCaseInsensitiveCompare":
      return ordering(base, source, [.caseInsensitive, .localeSensitive], argument)
    default: return expected("\(method) { ... }", argument)
    }
  }

  /// `expression.evaluate($0)`: the value that an `#Expression` has for its arguments.
  private mutating func evaluate(
    _ closure: ClosureSyntax, _ arguments: [SwiftArgument], _ syntax: SwiftSyntax
  ) -> Lowered {
    evaluations += 1
    guard evaluations <= 50 else {
      issues.report(.tooDeep, at: syntax.range)
      return .nothing
    }
    let inputs = arguments.map { lower($0.value) }
    let outer = scope
    defer { scope = outer }
    scope = [:]
    return body(of: closure, inputs)
  }

  /// `other.evaluate($0)`: the condition of a predicate that was declared before.
  private mutating func evaluate(_ name: String, _ arguments: [SwiftArgument], _ syntax: SwiftSyntax) -> Lowered {
    if case .expression(let closure) = constants[name] { return evaluate(closure, arguments, syntax) }
    guard case .predicate(let predicate) = constants[name], let closure = predicate.closure, arguments.count == 1 else {
      issues.report(.notAConstant(name), at: syntax.range)
      return .nothing
    }
    evaluations += 1
    guard evaluations <= 50 else {
      issues.report(.tooDeep, at: syntax.range)
      return .nothing
    }
    let object = lower(arguments[0].value)
    let outer = scope
    defer { scope = outer }
    scope = [:]
    return .condition(condition(body(of: closure, [object]), at: syntax.range))
  }
}
