internal import Modeling
internal import Queries
internal import SwiftParsing

extension MacroPrinter {
  /// One side of a comparison.
  enum Operand {
    case constant(Value, name: String?)
    /// A variable without a value: a parameter.
    case variable(String)
    case term(SwiftTerm)
  }

  mutating func operand(_ expression: Queries.Expression) throws(SwiftPrintingError) -> Operand {
    switch expression {
    case .constant(let value): return .constant(value, name: nil)
    case .argument(let value, let name): return .constant(value, name: name)
    case .variable(let name, _) where scope[name] == nil: return .variable(name)
    default: return .term(try value(expression))
    }
  }

  /// An expression that depends on the object, and is one value.
  mutating func value(_ expression: Queries.Expression) throws(SwiftPrintingError) -> SwiftTerm {
    switch expression {
    case .object: return object(0, entity)
    case .path(let path): return try value(path, of: object(0, entity))
    case .variable(let name, _):
      guard let variable = scope[name] else { return try parameter(ofKnownType: name) }
      return object(variable.parameter, variable.entity)
    case .variablePath(let name, let path):
      guard let variable = scope[name] else { throw unsupported("a key of the variable $\(name)") }
      return try value(path, of: object(variable.parameter, variable.entity))
    case .function(let function, let arguments, _): return try call(function, arguments)
    case .collection(.count, let source, _): return try count(source)
    case .collection(let function, _, _): throw unsupported("\(function.rawValue)", instead: .storedAttribute)
    case .subscripted(let source, .size): return try count(source)
    case .subscripted: throw unsupported("an element by its place")
    case .ternary(let condition, let first, let second): return try choice(condition, first, second)
    case .cast(_, let type): throw unsupported("CAST to \(type.rawValue)")
    case .subquery: throw unsupported("a SUBQUERY that is not counted")
    case .aggregate: throw unsupported("a list")
    case .constant, .argument: throw unsupported("a constant")
    }
  }

  /// A variable that is compared with nothing of the object, but elsewhere is.
  mutating func parameter(ofKnownType name: String) throws(SwiftPrintingError) -> SwiftTerm {
    guard let type = variableTypes[name] else { throw error(.unknownType(variable: name)) }
    return try parameter(name, type)
  }

  private func object(_ parameter: Int, _ entity: Entity) -> SwiftTerm {
    SwiftTerm(code: .parameter(parameter), type: .object(entity), name: SwiftNames.object(entity))
  }

  // MARK: Paths

  /// The end of a path of to-ones.
  mutating func value(_ path: PropertyPath, of start: SwiftTerm) throws(SwiftPrintingError) -> SwiftTerm {
    guard case .object(let entity) = start.type else { throw unsupported("a key of a value") }
    var term = start
    let resolved = try resolve(path, in: entity)
    for hop in resolved.hops {
      if hop.isToMany { throw unsupported("\(path.text), which leads to many objects,") }
      term = try append(hop, to: term)
    }
    guard let attribute = resolved.finalAttribute else { return term }
    if resolved.endsInCast { term = try cast(term, to: resolved.end) }
    if term.isOptional { weight += 2 }
    term = try append(path.text, attribute.name, .attribute(attribute.type), isOptional: attribute.isOptional, to: term)
    var element = attribute
    for name in resolved.elements {
      guard let inner = element.elements.first(where: { $0.name == name }) else {
        throw unsupported("a key of the \(element.type.rawValue) \(element.name)", instead: .storedAttribute)
      }
      term = try append(path.text, name, .attribute(inner.type), isOptional: inner.isOptional, to: term)
      element = inner
    }
    switch element.type {
    case .transformable, .composite, .any:
      throw unsupported("the \(element.type.rawValue) \(element.name)", instead: .storedAttribute)
    default: return term
    }
  }

  /// The next object of a path, or the many that it leads to.
  mutating func append(_ hop: ResolvedPath.Hop, to term: SwiftTerm) throws(SwiftPrintingError) -> SwiftTerm {
    let owner = hop.isCast ? try cast(term, to: hop.owner) : term
    let isOptional = !hop.isToMany && hop.relationship?.isOptional ?? true
    return try append(
      hop.destination.name, hop.relationship?.name ?? "", .object(hop.destination), isOptional: isOptional, to: owner)
  }

  /// `(term as? Car)`, an optional.
  private mutating func cast(_ term: SwiftTerm, to entity: Entity) throws(SwiftPrintingError) -> SwiftTerm {
    guard SwiftNames.isIdentifier(entity.name) else { throw error(.notAnIdentifier(entity.name)) }
    func cast(_ code: SwiftCode) -> SwiftCode {
      .parenthesized(.sequence([code, .text(" as? \(SwiftNames.identifier(entity.name))")]))
    }
    weight += 1
    let forced = cast(term.forced?.code ?? term.operand(of: .postfix))
    // Nil has no entity, so no test for nil is needed.
    let conditions = (term.forced?.conditions ?? []).dropLast(term.endsOptional ? 1 : 0)
    return SwiftTerm(
      code: cast(term.operand(of: .postfix)), type: .object(entity), isOptional: true, endsOptional: true,
      forced: SwiftTerm.Forced(code: forced, conditions: conditions + [forced]),
      name: SwiftNames.object(entity))
  }

  /// Looks a path up; names were checked before.
  func resolve(_ path: PropertyPath, in entity: Entity) throws(SwiftPrintingError) -> ResolvedPath {
    do { return try path.resolve(in: entity) } catch { throw unsupported("the path \(path.text)") }
  }

  /// One step of a path.
  func append(
    _ path: String, _ name: String, _ type: SwiftType, isOptional: Bool, to term: SwiftTerm
  ) throws(SwiftPrintingError) -> SwiftTerm {
    guard SwiftNames.isIdentifier(name) else { throw error(.notAnIdentifier(name)) }
    var result = term
    result.code = term.member(SwiftNames.identifier(name))
    result.type = type
    result.isChain = term.isOptional
    result.chain = term.chain(to: SwiftNames.identifier(name))
    result.forced = .init(term, name, isOptional)
    result.isOptional = term.isOptional || isOptional
    result.endsOptional = isOptional
    result.name = name
    return result
  }

  // MARK: Functions

  private mutating func call(
    _ function: ExpressionFunction, _ arguments: [Queries.Expression]
  ) throws(SwiftPrintingError) -> SwiftTerm {
    let refused = unsupported("the function \(function.rawValue)", instead: .storedAttribute)
    guard function.accepts(count: arguments.count) else { throw refused }
    switch function {
    case .entityName: throw refused
    case .noindex: return try value(arguments[0])
    case .now:
      let now = captures.constant("now", "Date.now", comment: nil)
      return SwiftTerm(code: .text(now), type: .date)
    case .length:
      var term = try value(arguments[0])
      guard term.type == .string else { throw unsupported("the length of what is no String") }
      if term.isOptional { weight += 2 }
      term.forced = term.forced.map {
        SwiftTerm.Forced(
          code: .sequence([$0.code, .text(term.endsOptional ? "!.count" : ".count")]), conditions: $0.conditions)
      }
      term.chain = term.chain(to: "count")
      term.code = term.member("count")
      (term.type, term.isChain, term.endsOptional, term.level) = (.integer, term.isOptional, false, .postfix)
      return term
    case .negate:
      let term = try value(arguments[0])
      return unwrapped([term]) { terms in
        SwiftTerm(
          code: .sequence([.text("-"), terms[0].operand(of: .postfix)]), type: terms[0].type, level: .prefix,
          name: terms[0].name)
      }
    case .add, .subtract, .multiply, .divide, .modulus:
      return try arithmetic(function, arguments[0], arguments[1])
    case .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .onesComplement, .leftShift, .rightShift, .year, .month, .day,
      .hour, .minute, .second, .weekday, .lowercase, .uppercase, .canonical, .trim, .abs, .floor, .ceiling, .round,
      .trunc, .sqrt, .ln, .log, .exp, .count, .sum, .average, .min, .max, .median, .mode, .stddev:
      throw refused
    }
  }

  /// `left + right`, both of one type; a constant takes the type of the other side.
  private mutating func arithmetic(
    _ function: ExpressionFunction, _ left: Queries.Expression, _ right: Queries.Expression
  ) throws(SwiftPrintingError) -> SwiftTerm {
    let isDivision = function == .divide || function == .modulus
    if isDivision {
      guard case .constant(let divisor, _) = try operand(right), divisor.compare(.int(0)) != 0 else {
        throw unsupported("a division by what may be 0", instead: .storedAttribute)
      }
    }
    let (first, second) = try numbers(try operand(left), try operand(right))
    let isInteger = first.type.attributeType?.integerRange != nil
    if first.type == .attribute(.decimal) && isDivision || function == .modulus && !isInteger {
      throw unsupported("\(function.rawValue) of a \(first.type.name())", instead: .storedAttribute)
    }
    let symbol = function == .modulus ? "%" : function.rawValue
    let level: SwiftTerm.Level = function == .add || function == .subtract ? .additive : .multiplicative
    return unwrapped([first, second]) { terms in
      let above = SwiftTerm.Level(rawValue: level.rawValue + 1) ?? .postfix
      let right = terms[1].operand(of: above)
      return SwiftTerm(
        code: .sequence([terms[0].operand(of: level), .text(" \(symbol) "), right]), type: terms[0].type,
        level: level, name: terms[0].name)
    }
  }

  private mutating func numbers(
    _ left: Operand, _ right: Operand
  ) throws(SwiftPrintingError) -> (SwiftTerm, SwiftTerm) {
    switch (left, right) {
    case (.term(let left), .term(let right)):
      guard left.type == right.type, left.type.isNumber else {
        throw error(.differentTypes(left: left.type.name(), right: right.type.name()))
      }
      return (left, right)
    case (.term(let left), let right) where left.type.isNumber: return (left, try exactly(right, as: left))
    case (let left, .term(let right)) where right.type.isNumber: return (try exactly(left, as: right), right)
    default: throw unsupported("arithmetic of constants alone")
    }
  }

  /// `condition ? first : second`, both of one type and never nil.
  private mutating func choice(
    _ condition: Queries.Predicate, _ first: Queries.Expression, _ second: Queries.Expression
  ) throws(SwiftPrintingError) -> SwiftTerm {
    if let value = try coalesced(condition, first, second) { return value }
    let condition = try self.condition(condition)
    let terms: (SwiftTerm, SwiftTerm)
    switch (try operand(first), try operand(second)) {
    case (.term(let left), .term(let right)): terms = (left, right)
    case (.term(let left), let right): terms = (left, try exactly(right, as: left))
    case (let left, .term(let right)): terms = (try exactly(left, as: right), right)
    default: throw unsupported("a choice between two constants as a part of a value")
    }
    guard terms.0.type == terms.1.type, terms.0.isOptional == terms.1.isOptional else {
      throw error(.differentTypes(left: terms.0.typeName, right: terms.1.typeName))
    }
    if let flag = condition.constantFlag { return flag ? terms.0 : terms.1 }
    weight += 3
    var result = terms.0
    result.code = .sequence([
      condition.operand(of: .or), .text(" ? "), terms.0.operand(of: .or), .text(" : "), terms.1.operand(of: .or),
    ])
    result.level = .conditional
    result.endsOptional = result.isOptional
    result.lifted = nil
    result.forced = nil
    return result
  }
}

extension MacroPrinter {
  /// `value ?? replacement`, which is `TERNARY(value != nil, value, replacement)`; nil for any other choice.
  ///
  /// The macro takes it of an optional itself, and not at the end of a chain.
  mutating func coalesced(
    _ condition: Queries.Predicate, _ value: Queries.Expression, _ replacement: Queries.Expression
  ) throws(SwiftPrintingError) -> SwiftTerm? {
    guard condition.isNilTest(of: value), case .term(let term) = try operand(value) else { return nil }
    guard term.isOptional else { return term }
    guard term.endsOptional, !term.isChain, term.type.attributeType != nil else { return nil }
    let other = try exactly(try operand(replacement), as: term)
    guard !other.isOptional, other.type == term.type else { return nil }
    weight += 1
    let code = SwiftCode.sequence([term.operand(of: .additive), .text(" ?? "), other.operand(of: .nilCoalescing)])
    return SwiftTerm(code: .parenthesized(code), type: term.type, name: term.name)
  }
}

extension Queries.Predicate {
  /// Whether it asks if `expression` is there.
  fileprivate func isNilTest(of expression: Queries.Expression) -> Bool {
    guard case .comparison(let comparison) = self else { return false }
    return comparison.comparator == .notEqual && comparison.modifier == .direct && comparison.left == expression
      && comparison.right.constantValue == .null
  }
}

extension SwiftTerm.Forced {
  /// One step further.
  fileprivate init(_ term: SwiftTerm, _ name: String, _ isOptional: Bool) {
    let start = term.forced?.code ?? term.code
    code = .sequence([start, .text((term.endsOptional ? "!." : ".") + SwiftNames.identifier(name))])
    conditions = (term.forced?.conditions ?? []) + (isOptional ? [code] : [])
  }
}

extension SwiftTerm {
  /// The type as it is declared.
  var typeName: String { type.name() + (isOptional ? "?" : "") }
}
