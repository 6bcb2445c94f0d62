internal import Modeling
internal import Queries
internal import SwiftParsing

/// Turns the closure of `#Predicate` into the tree that Foundation turns it into, and reports what Swift or Apple's
/// stores would refuse.
///
/// Names from outside become variables, or arguments if the text gives their values before. If the entity is known, types
/// distinguish a collection from a text; otherwise the use of a value does.
struct PredicateLowering {
  let entity: Entity?
  /// Whether optional properties of the model are optional in the classes, too.
  var knowsOptionals = false
  let text: String
  let bytes: [UInt8]
  var issues: SwiftIssues
  /// What names stand for: parameters of closures, and what `if let` binds.
  var scope: [String: Lowered] = [:]
  /// The earlier declarations.
  let constants: SourceConstants
  /// How things are used, where their types are not known.
  let usage: ValueUsage
  /// Whether it matters that a condition is false and not merely not true, as within a negation.
  var isExact = false
  /// The variables of the SUBQUERYs around.
  private var variables: [String] = []
  /// Whether `\Quake.place` is a member of the object, as where key paths are compared.
  var takesKeyPaths = false
  /// Where a condition of the program around a predicate is read, in which all that is not known is a variable.
  var surroundings: Surroundings?

  /// The known facts of the program around a predicate.
  struct Surroundings {
    var names: OutsideNames
    /// The variables that are lists.
    var lists: Set<String>
  }
  /// The number of predicates that `evaluate` has inserted; more than a few are a text that grows without end.
  var evaluations = 0

  init(_ closure: ClosureSyntax, entity: Entity?, constants: SourceConstants, issues: SwiftIssues) {
    self.entity = entity
    self.constants = constants
    self.issues = issues
    text = issues.text
    bytes = Array(text.utf8)
    usage = ValueUsage(closure, bytes)
  }

  /// The condition of the closure about an object.
  mutating func predicate(of closure: ClosureSyntax) -> Predicate {
    let object = Lowered.value(.object, entity.map(ExpressionType.object) ?? .unknown)
    let lowered = body(of: closure, [object])
    return condition(lowered, at: closure.range)
  }

  /// The value of the closure of `#Expression`: of the first input that is an entity it is about an object, other inputs are
  /// variables.
  mutating func expression(of closure: ClosureSyntax, _ inputs: [Entity?]) -> Expression {
    let first = inputs.firstIndex { $0 != nil } ?? (inputs.count == 1 ? 0 : nil)
    let objects = inputs.enumerated().map { number, entity -> Lowered in
      let type = entity.map(ExpressionType.object) ?? .unknown
      if number == first { return .value(.object, type) }
      let parameters = closure.parameters ?? []
      return .value(.variable(number < parameters.count ? parameters[number].name : "input\(number + 1)"), type)
    }
    return value(body(of: closure, objects), at: closure.range)
  }

  // MARK: Closures

  /// What a closure answers for its arguments.
  mutating func body(of closure: ClosureSyntax, _ arguments: [Lowered]) -> Lowered {
    let outer = scope
    defer { scope = outer }
    if let parameters = closure.parameters {
      for (parameter, argument) in zip(parameters, arguments) { scope[parameter.name] = argument }
    } else {
      for (number, argument) in arguments.enumerated() { scope["$\(number)"] = argument }
    }
    return statements(of: closure)
  }

  /// What the statements in braces answer; a predicate is one value.
  mutating func statements(of closure: ClosureSyntax) -> Lowered {
    var answer: Lowered?
    for statement in closure.statements {
      switch statement.kind {
      case .value(let value), .returned(let value):
        let lowered = lower(value)
        if answer != nil { issues.report(.severalStatements, at: statement.range) }
        answer = answer ?? lowered
      case .declaration(let declaration):
        issues.report(.statement("let"), at: statement.range)
        scope[declaration.name] = declaration.value.map { lower($0) } ?? .nothing
      case .assignment: issues.report(.assignment, at: statement.range)
      case .scope(let name, _, _): issues.report(.statement("func \(name)"), at: statement.range)
      case .type(let type): issues.report(.statement("\(type.keyword) \(type.name)"), at: statement.range)
      case .enumerationCase(let name, _, _): issues.report(.statement("case \(name)"), at: statement.range)
      case .other(let word):
        issues.report(.statement(word), at: statement.range)
        answer = answer ?? .nothing
      }
    }
    if let answer { return answer }
    let end = max(closure.range.lowerBound, closure.range.upperBound - 1)
    if issues.found.isEmpty {
      issues.report(.unexpected(found: "}", expected: "a condition"), at: end..<closure.range.upperBound)
    }
    return .nothing
  }

  /// A condition on the elements of a collection, with the variable for an element.
  mutating func elementCondition(
    _ closure: ClosureSyntax, of collection: Lowered, isExact: Bool
  ) -> (variable: String, condition: Predicate) {
    let variable = freshVariable(for: closure)
    variables.append(variable)
    let outer = self.isExact
    self.isExact = isExact
    defer {
      variables.removeLast()
      self.isExact = outer
    }
    var type = ExpressionType.unknown
    if case .collection(let element) = collection.type { type = element }
    let element = Lowered.value(.variable(variable), type)
    let lowered = body(of: closure, [element])
    return (variable, condition(lowered, at: closure.range))
  }

  /// The name of a closure's parameter, or one that nothing else has.
  private func freshVariable(for closure: ClosureSyntax) -> String {
    if let name = closure.parameters?.first?.name, name != "_" { return name }
    let letters = ["x", "y", "z"]
    for number in 0... {
      let name = letters[number % 3] + (number < 3 ? "" : String(number / 3 + 1))
      if !variables.contains(name), !usage.names.contains(name) { return name }
    }
    return "x"
  }

  // MARK: Dispatch

  /// What a value means.
  mutating func lower(_ syntax: SwiftSyntax) -> Lowered {
    switch syntax.kind {
    case .literal(let value):
      var literal = Lowered.value(.constant(value), ExpressionType(of: value))
      literal.isLiteral = true
      return literal
    case .string(let string): return lower(string, at: syntax.range)
    case .regularExpression(let pattern): return Lowered(meaning: .pattern(pattern, []))
    case .name(let name): return lower(name: name, at: syntax.range)
    case .array(let elements): return lower(elements: elements)
    case .tuple: return lower(tuple: syntax)
    case .member(let base, let name): return lower(member: name, of: base, syntax)
    case .optionalChain(let base): return lower(chain: base)
    case .forced(let base):
      var lowered = lower(base)
      lowered.isOptional = false
      return lowered
    case .call: return lower(call: syntax)
    case .subscripted(let base, let arguments): return lower(subscript: arguments, of: base, syntax)
    case .prefix(let sign, let operand): return lower(prefix: sign, operand, syntax)
    case .postfix(let operand, _):
      issues.report(.oneSidedRange(source(syntax)), at: syntax.range)
      _ = lower(operand)
      return .nothing
    case .infix(let sign, let operands): return lower(infix: sign, operands, syntax)
    case .ternary(let condition, let first, let second): return lower(ternary: condition, first, second)
    case .conditional(let conditional): return lower(conditional: conditional, syntax)
    case .cast(let operand, let word, let type): return lower(cast: operand, word, type, syntax)
    case .unreadable: return .nothing
    case .keyPath(_, let components) where takesKeyPaths:
      let object = SwiftSyntax(kind: .name("$0"), range: syntax.range)
      return lower(components.reduce(object) { SwiftSyntax(kind: .member($0, $1), range: syntax.range) })
    case .keyPath, .dictionary, .macro, .closure, .message: return refuse(syntax)
    }
  }

  private mutating func refuse(_ syntax: SwiftSyntax) -> Lowered {
    switch syntax.kind {
    case .keyPath: issues.report(.keyPath(source(syntax)), at: syntax.range)
    case .macro(let name, _, _): issues.report(.call("#" + name), at: syntax.range)
    default: issues.report(.unexpected(found: source(syntax), expected: "a value"), at: syntax.range)
    }
    return .nothing
  }

  // MARK: Text

  /// The source of a value, in one line.
  func source(_ syntax: SwiftSyntax) -> String { source(syntax.range) }

  func source(_ range: Range<Int>) -> String {
    let words = String(decoding: bytes[range].prefix(400), as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let line = words.joined(separator: " ")
    return line.count > 60 ? line.prefix(57) + "..." : line
  }

  func origin(_ range: Range<Int>) -> Origin { Origin(text: text, range: range) }
}
