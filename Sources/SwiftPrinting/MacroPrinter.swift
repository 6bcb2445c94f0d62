internal import Modeling
internal import Queries
internal import SwiftParsing

/// Writes a predicate as the body of `#Predicate`, with the meaning that it has in memory.
///
///     magnitude >= 5 AND place CONTAINS "Chile"
///     #Predicate<Quake> { ($0.magnitude.flatMap { $0 >= 5 } ?? false) && $0.place?.contains("Chile") == true }
///
/// Optional values are unwrapped so that a comparison with nil is false, as in Foundation's NSPredicate. Types are
/// those of the model, because the macro converts none. Comparisons, values and collections are in the files beside.
struct MacroPrinter {
  let entity: Entity
  /// What the closure needs from outside.
  var captures = SwiftCaptures()
  /// The variables of the SUBQUERYs around, and the elements that quantifiers stand at: parameters of closures.
  var scope: [String: (parameter: Int, entity: Entity)] = [:]
  /// The clause at work, for errors.
  var clause = ""
  /// Whether literals stand before the predicate and optionals are unwrapped by `!`.
  ///
  /// The compiler gives up on a macro with more than a few literals or closures in it; on this form it does not.
  private(set) var isSpreadOut = false
  /// Literals, closures and unwrapped values so far, as far as they cost the compiler time.
  var weight = 0
  private var parameterCount = 0
  /// The types of variables, as all their comparisons show them.
  private(set) var variableTypes: [String: SwiftType] = [:]

  init(entity: Entity) {
    self.entity = entity
    // The parameter of the closure has the first claim on its name.
    captures.reserved = [SwiftNames.object(entity)]
  }

  /// The closure of the macro.
  mutating func closure(_ predicate: Queries.Predicate) throws(SwiftPrintingError) -> SwiftCode {
    let predicate = predicate.withoutNilTestsOfVariables
    variableTypes = FormatSourcePrinter.variableTypes(of: predicate, in: entity)
    let short = try onlyClosure(predicate)
    guard weight > 4, !isSpreadOut else { return short }
    let types = variableTypes
    self = MacroPrinter(entity: entity)
    variableTypes = types
    isSpreadOut = true
    return try onlyClosure(predicate)
  }

  private mutating func onlyClosure(_ predicate: Queries.Predicate) throws(SwiftPrintingError) -> SwiftCode {
    let root = newParameter()
    let body = try condition(predicate.withDateRanges)
    return .closure(SwiftClosure(parameter: root, name: SwiftNames.object(entity), body: body.code))
  }

  mutating func newParameter() -> Int {
    parameterCount += 1
    return parameterCount - 1
  }

  func error(_ fact: SwiftPrintingError.Fact) -> SwiftPrintingError { SwiftPrintingError(fact, in: clause) }

  /// Something that the macro has no word for.
  func unsupported(
    _ what: String, instead: SwiftPrintingError.Alternative = .form(.nspredicate)
  ) -> SwiftPrintingError { error(.notInMacro(what, instead: instead)) }

  // MARK: Conditions

  mutating func condition(_ predicate: Queries.Predicate) throws(SwiftPrintingError) -> SwiftTerm {
    switch predicate {
    case .constant(let flag): return .constant(flag)
    case .and(let terms): return .joined(try conditions(terms), "&&")
    case .or(let terms): return .joined(try conditions(terms), "||")
    case .not(let inner): return !(try condition(inner))
    case .comparison(let comparison):
      let outer = clause
      clause = Queries.Predicate.comparison(comparison).description
      let term = try self.comparison(comparison)
      clause = outer
      return term
    case .expression(let expression):
      let outer = clause
      clause = expression.description
      let term = try truth(of: expression)
      clause = outer
      return term
    }
  }

  private mutating func conditions(_ terms: [Queries.Predicate]) throws(SwiftPrintingError) -> [SwiftTerm] {
    var result: [SwiftTerm] = []
    for term in terms { result.append(try condition(term)) }
    return result
  }

  /// An expression as a condition: true, or a number other than 0.
  private mutating func truth(of expression: Queries.Expression) throws(SwiftPrintingError) -> SwiftTerm {
    switch try operand(expression) {
    case .constant(.bool(let flag), _): return .constant(flag)
    case .constant(.int(let number), _): return .constant(number != 0)
    case .constant: throw unsupported("a constant as a condition")
    case .variable(let name): return try parameter(name, .bool)
    case .term(let term) where term.type == .bool: return isTrue(term)
    case .term(let term) where term.type.isNumber:
      let zero = SwiftTerm(code: .text("0"), type: term.type)
      return try unwrapping([term]) { .comparison($0[0], "!=", zero) }
    case .term: throw unsupported("a \(clause) as a condition")
    }
  }

  /// A Boolean that may be nil, which is as false.
  func isTrue(_ term: SwiftTerm) -> SwiftTerm {
    guard term.isOptional else { return term }
    return .comparison(term, "==", SwiftTerm(code: .text("true"), type: .bool))
  }

  // MARK: What may be nil

  /// The condition `body` of the values of `terms`; false where one is nil.
  mutating func unwrapping(
    _ terms: [SwiftTerm], _ body: ([SwiftTerm]) -> SwiftTerm
  ) throws(SwiftPrintingError) -> SwiftTerm {
    if isSpreadOut, let result = forced(terms, body) { return result }
    let result = unwrapped(terms, body)
    guard result.isOptional else { return result }
    return .condition(.sequence([result.operand(of: .nilCoalescing), .text(" ?? false")]), .nilCoalescing)
  }

  /// `a != nil && body(a!)`
  private func forced(_ terms: [SwiftTerm], _ body: ([SwiftTerm]) -> SwiftTerm) -> SwiftTerm? {
    guard terms.contains(where: \.isOptional) else { return nil }
    var conditions: [SwiftTerm] = []
    var known: Set<String> = []
    var values = terms
    for (position, term) in terms.enumerated() where term.isOptional {
      guard let forced = term.forced, term.lifted == nil else { return nil }
      let unknown = forced.conditions.filter { known.insert(SwiftLayout().flat($0)).inserted }
      conditions += unknown.map {
        .comparison(SwiftTerm(code: $0, type: term.type), "!=", SwiftTerm(code: .text("nil"), type: term.type))
      }
      let code = term.endsOptional ? SwiftCode.sequence([forced.code, .text("!")]) : forced.code
      values[position] = SwiftTerm(code: code, type: term.type, name: term.name)
    }
    return .joined(conditions + [body(values)], "&&")
  }

  /// What `body` makes of the values of `terms`; nil where one is nil.
  mutating func unwrapped(_ terms: [SwiftTerm], _ body: ([SwiftTerm]) -> SwiftTerm) -> SwiftTerm {
    guard let position = terms.firstIndex(where: \.isOptional) else { return body(terms) }
    let optional = terms[position]
    if let lifted = optional.lifted {
      var inner = terms
      inner[position] = lifted.value()
      return Self.wrapped(unwrapped(inner, body), lifted.around)
    }
    let parameter = newParameter()
    weight += 2
    // `a?.b.flatMap` would ask the value b, and the macro takes no parentheses around a chain: a is asked.
    let chain = optional.endsOptional ? nil : optional.chain
    let owner = chain?.owner() ?? optional
    var inner = terms
    inner[position] = SwiftTerm(
      code: .sequence([.parameter(parameter), .text(chain?.members ?? "")]), type: optional.type, name: optional.name)
    return Self.wrapped(unwrapped(inner, body)) { code in
      .sequence([
        owner.operand(of: .postfix), .text(".flatMap "),
        .closure(SwiftClosure(parameter: parameter, name: owner.name, body: code)),
      ])
    }
  }

  /// A term with an unwrapping around it.
  private static func wrapped(_ term: SwiftTerm, _ around: @escaping (SwiftCode) -> SwiftCode) -> SwiftTerm {
    var result = term
    result.code = around(term.code)
    result.isOptional = true
    result.endsOptional = true
    result.level = .postfix
    result.opposite = nil
    let (value, outer) = (term.lifted?.value ?? { term }, term.lifted?.around)
    result.lifted = SwiftTerm.Lifted(value: value) { code in around(outer?(code) ?? code) }
    return result
  }
}
