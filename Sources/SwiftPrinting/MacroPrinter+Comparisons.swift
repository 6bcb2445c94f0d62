internal import Modeling
internal import Queries
internal import SwiftParsing
internal import SwiftReading

extension MacroPrinter {
  mutating func comparison(_ comparison: Comparison) throws(SwiftPrintingError) -> SwiftTerm {
    if comparison.modifier != .direct { return try quantified(comparison) }
    if let test = comparison.entityTest { return try isKind(test) }
    if let term = try choosing(comparison) { return term }
    if let term = try counting(comparison) { return term }
    if let term = try extreme(comparison) { return term }
    switch comparison.comparator {
    case .equal, .notEqual: return try equality(comparison)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return try order(comparison)
    case .between: return try between(comparison)
    case .in: return try membership(comparison, of: comparison.left, in: comparison.right)
    case .contains where isCollection(comparison.left):
      return try membership(comparison, of: comparison.right, in: comparison.left)
    case .contains, .beginsWith, .endsWith, .like, .matches: return try text(comparison)
    }
  }

  /// A comparison of `TERNARY(p, a, b)` is one of a if p, else one of b.
  private mutating func choosing(_ comparison: Comparison) throws(SwiftPrintingError) -> SwiftTerm? {
    var (first, second) = (comparison, comparison)
    let condition: Queries.Predicate
    if try isOneValue(comparison.left) { return nil }
    if case .ternary(let predicate, let left, let right) = comparison.left {
      (condition, first.left, second.left) = (predicate, left, right)
    } else if case .ternary(let predicate, let left, let right) = comparison.right {
      (condition, first.right, second.right) = (predicate, left, right)
    } else {
      return nil
    }
    let (test, yes, no) = (try self.condition(condition), try self.comparison(first), try self.comparison(second))
    if let flag = test.constantFlag { return flag ? yes : no }
    weight += 3
    let code = SwiftCode.sequence([
      test.operand(of: .or), .text(" ? "), yes.operand(of: .or), .text(" : "), no.operand(of: .or),
    ])
    return .condition(code, .conditional)
  }

  /// Whether a choice is `value ?? replacement`, which the macro has.
  private mutating func isOneValue(_ expression: Queries.Expression) throws(SwiftPrintingError) -> Bool {
    guard case .ternary(let condition, let value, let replacement) = expression else { return false }
    var trial = self
    return try trial.coalesced(condition, value, replacement) != nil
  }

  // MARK: Entities

  /// `$0 is Car`: the names must be those of an entity and all that inherit from it.
  private mutating func isKind(_ test: EntityTest) throws(SwiftPrintingError) -> SwiftTerm {
    guard case .term(let term) = try operand(test.object), case .object(let entity) = term.type else {
      throw unsupported("the entity of a value that is not an object")
    }
    let names = Set(test.names)
    guard let wanted = entity.root.family.first(where: { Set($0.family.map(\.name)) == names }) else {
      throw unsupported("a test for \(test.names.joined(separator: ", ")) without all that inherits from it")
    }
    weight += 1
    var condition = SwiftTerm.condition(
      .sequence([term.operand(of: .postfix), .text(" is \(SwiftNames.identifier(wanted.name))")]), .comparison)
    if entity.isKind(of: wanted) {
      condition =
        term.isOptional ? .comparison(term, "!=", SwiftTerm(code: .text("nil"), type: term.type)) : .constant(true)
    }
    return test.isNegated ? !condition : condition
  }

  // MARK: Equality and order

  private mutating func equality(_ comparison: Comparison) throws(SwiftPrintingError) -> SwiftTerm {
    let isEqual = comparison.comparator == .equal
    switch (try operand(comparison.left), try operand(comparison.right)) {
    case (.constant(let left, _), .constant(let right, _)):
      return try known(ConstantFit.answer(left, comparison.comparator, right), left, right)
    case (.term(let term), let other), (let other, .term(let term)):
      if let term = try ignoringCase(comparison, term, other) { return isEqual ? term : !term }
      return try equality(term, comparison.comparator, other)
    case (.variable(let name), let other), (let other, .variable(let name)):
      return try equality(try parameter(ofKnownType: name), comparison.comparator, other)
    }
  }

  private func known(_ answer: Bool?, _ left: Value, _ right: Value) throws(SwiftPrintingError) -> SwiftTerm {
    guard let answer else { throw error(.differentTypes(left: left.kindName, right: right.kindName)) }
    return .constant(answer)
  }

  private mutating func equality(
    _ term: SwiftTerm, _ comparator: Queries.Comparator, _ other: Operand
  ) throws(SwiftPrintingError) -> SwiftTerm {
    if case .object = term.type { return try sameObject(term, comparator, other) }
    let isEqual = comparator == .equal
    switch other {
    case .constant(.null, _):
      guard term.isOptional else { return .constant(!isEqual) }
      weight += 1
      return .comparison(term, comparator.rawValue, SwiftTerm(code: .text("nil"), type: term.type))
    case .constant(let value, let name):
      switch fit(comparator, value, to: term) {
      case .mismatch: throw error(.differentTypes(left: term.type.name(), right: value.kindName))
      case .always(let answer): return .constant(answer)
      case .compare(let fitted, .bool(let flag)) where name == nil:
        let isWanted = flag == (fitted == .equal)
        guard term.isOptional else { return isWanted ? term : !term }
        weight += 2
        // The compiler tries every type for a literal beside an optional; several of them take it minutes.
        let literal = isSpreadOut ? captures.constant(flag ? "yes" : "no", String(flag), comment: nil) : String(flag)
        return .comparison(term, fitted.rawValue, SwiftTerm(code: .text(literal), type: .bool))
      case .compare(let fitted, let value):
        return try equality(term, fitted, constant: try source(of: value, term.type, name: name, beside: term))
      }
    case .variable(let name): return try equality(term, comparator, constant: try parameter(name, term.type))
    case .term(let right): return try equality(term, comparator, right)
    }
  }

  /// A path through what may be nil is unwrapped where the compiler needs it short.
  private mutating func equality(
    _ term: SwiftTerm, _ comparator: Queries.Comparator, constant: SwiftTerm
  ) throws(SwiftPrintingError) -> SwiftTerm {
    guard isSpreadOut, term.isChain else { return .comparison(term, comparator.rawValue, constant) }
    let isSame = try unwrapping([term]) { .comparison($0[0], "==", constant) }
    return comparator == .equal ? isSame : !isSame
  }

  private func fit(_ comparator: Queries.Comparator, _ value: Value, to term: SwiftTerm) -> ConstantFit {
    term.type.attributeType.map { ConstantFit(comparator, value, to: $0) } ?? .mismatch
  }

  /// Two values of the object; Swift compares optionals with optionals alone where both are properties.
  private mutating func equality(
    _ left: SwiftTerm, _ comparator: Queries.Comparator, _ right: SwiftTerm
  ) throws(SwiftPrintingError) -> SwiftTerm {
    guard left.type == right.type else { throw error(.differentTypes(left: left.typeName, right: right.typeName)) }
    if left.isOptional == right.isOptional { return .comparison(left, comparator.rawValue, right) }
    let isSame = try unwrapping([left, right]) { .comparison($0[0], "==", $0[1]) }
    return comparator == .equal ? isSame : !isSame
  }

  /// Objects are the same when their identifiers are.
  private mutating func sameObject(
    _ term: SwiftTerm, _ comparator: Queries.Comparator, _ other: Operand
  ) throws(SwiftPrintingError) -> SwiftTerm {
    func identifier(_ term: SwiftTerm) -> SwiftTerm {
      var result = term
      result.forced = nil
      result.code = term.member("persistentModelID")
      result.endsOptional = false
      result.level = .postfix
      return result
    }
    switch other {
    case .constant(.null, _):
      guard term.isOptional else { return .constant(comparator == .notEqual) }
      return .comparison(term, comparator.rawValue, SwiftTerm(code: .text("nil"), type: term.type))
    case .constant(let value, let name):
      return .comparison(identifier(term), comparator.rawValue, try object(value, name ?? objectName(term)))
    case .variable(let name):
      return .comparison(identifier(term), comparator.rawValue, try parameter(name, .object(entity)))
    case .term(let right): return try equality(identifier(term), comparator, identifier(right))
    }
  }

  func objectName(_ term: SwiftTerm) -> String { term.name + "ID" }

  /// The identifier of an object that is known here, as a parameter.
  mutating func object(_ value: Value, _ name: String) throws(SwiftPrintingError) -> SwiftTerm {
    guard case .object(let id) = value else { throw error(.differentTypes(left: "object", right: value.kindName)) }
    guard SwiftNames.isIdentifier(name) else { throw error(.notAnIdentifier(name)) }
    let unique = captures.parameter(of: [id], name, .object(entity))
    return SwiftTerm(code: .text(SwiftNames.identifier(unique)), type: .object(entity), name: unique)
  }

  private mutating func order(_ comparison: Comparison) throws(SwiftPrintingError) -> SwiftTerm {
    let comparator = comparison.comparator
    try refuseOptions(comparison)
    switch (try operand(comparison.left), try operand(comparison.right)) {
    case (.constant(let left, _), .constant(let right, _)):
      return try known(ConstantFit.answer(left, comparator, right), left, right)
    case (.term(let left), .term(let right)):
      guard left.type == right.type else { throw error(.differentTypes(left: left.typeName, right: right.typeName)) }
      try requireOrder(left)
      return try unwrapping([left, right]) { .comparison($0[0], comparator.rawValue, $0[1]) }
    case (.term(let term), let other): return try order(term, comparator, other)
    case (let other, .term(let term)): return try order(term, comparator.mirrored, other)
    case (.variable(let name), let other): return try order(try parameter(ofKnownType: name), comparator, other)
    case (let other, .variable(let name)):
      return try order(try parameter(ofKnownType: name), comparator.mirrored, other)
    }
  }

  mutating func order(
    _ term: SwiftTerm, _ comparator: Queries.Comparator, _ other: Operand
  ) throws(SwiftPrintingError) -> SwiftTerm {
    switch other {
    case .constant(.null, _): return .constant(false)
    case .constant(let value, let name):
      switch fit(comparator, value, to: term) {
      case .mismatch: throw error(.differentTypes(left: term.type.name(), right: value.kindName))
      case .always(false): return .constant(false)
      case .always(true): return isThere(term)
      case .compare(_, .bool(let flag)): return try equality(term, .equal, .constant(.bool(flag), name: nil))
      case .compare(let fitted, let value):
        try requireOrder(term)
        let constant = try source(of: value, term.type, name: name, beside: term)
        return try unwrapping([term]) { .comparison($0[0], fitted.rawValue, constant) }
      }
    case .variable(let name):
      try requireOrder(term)
      let parameter = try parameter(name, term.type)
      return try unwrapping([term]) { .comparison($0[0], comparator.rawValue, parameter) }
    case .term(let right):
      return try unwrapping([term, right]) { .comparison($0[0], comparator.rawValue, $0[1]) }
    }
  }

  private func isThere(_ term: SwiftTerm) -> SwiftTerm {
    guard term.isOptional else { return .constant(true) }
    return .comparison(term, "!=", SwiftTerm(code: .text("nil"), type: term.type))
  }

  /// Refuses types whose values Swift does not order.
  private func requireOrder(_ term: SwiftTerm) throws(SwiftPrintingError) {
    switch term.type.attributeType {
    case .boolean, .data, .url, nil: throw unsupported("the order of \(term.type.name()) values")
    default: return
    }
  }

  // MARK: Ranges

  private mutating func between(_ comparison: Comparison) throws(SwiftPrintingError) -> SwiftTerm {
    try refuseOptions(comparison)
    guard let ends = comparison.right.elementsOfList, ends.count == 2 else { throw unsupported("BETWEEN of no range") }
    let (low, high) = (try operand(ends[0]), try operand(ends[1]))
    if case .term(let term) = try operand(comparison.left), let type = term.type.attributeType,
      case .constant(let lowest, let lowName) = low, case .constant(let highest, let highName) = high,
      case .compare(.greaterOrEqual, let first) = ConstantFit(.greaterOrEqual, lowest, to: type),
      case .compare(.lessOrEqual, let last) = ConstantFit(.lessOrEqual, highest, to: type), type != .boolean
    {
      // A range that ends before it begins would stop the program.
      guard let order = first.compare(last), order <= 0 else { return .constant(false) }
      try requireOrder(term)
      weight += 2
      var (from, to) = (term, term)
      from.name += "Start"
      to.name += "End"
      let start = try source(of: first, term.type, name: lowName, beside: from)
      let end = try source(of: last, term.type, name: highName, beside: to)
      if isSpreadOut {
        return try unwrapping([term]) {
          .joined([.comparison($0[0], ">=", start), .comparison($0[0], "<=", end)], "&&")
        }
      }
      let range = SwiftCode.sequence([start.operand(of: .additive), .text("..."), end.operand(of: .additive)])
      return try unwrapping([term]) {
        .condition(.sequence([.parenthesized(range), .text(".contains("), $0[0].code, .text(")")]))
      }
    }
    var (above, below) = (comparison, comparison)
    (above.comparator, above.right) = (.greaterOrEqual, ends[0])
    (below.comparator, below.right) = (.lessOrEqual, ends[1])
    return .joined([try self.comparison(above), try self.comparison(below)], "&&")
  }

  /// Refuses what string options change, where the macro has no function for it.
  func refuseOptions(_ comparison: Comparison) throws(SwiftPrintingError) {
    let options = comparison.options.intersection([.caseInsensitive, .diacriticInsensitive])
    guard !options.isEmpty else { return }
    let letters = (options.contains(.caseInsensitive) ? "c" : "") + (options.contains(.diacriticInsensitive) ? "d" : "")
    throw unsupported("\(comparison.comparator.rawValue)[\(letters)]")
  }

  /// `code ==[c] "x"`; nil where case counts.
  private mutating func ignoringCase(
    _ comparison: Comparison, _ term: SwiftTerm, _ other: Operand
  ) throws(SwiftPrintingError) -> SwiftTerm? {
    let options = comparison.options.intersection([.caseInsensitive, .diacriticInsensitive])
    if options.isEmpty { return nil }
    guard options == .caseInsensitive, term.type == .string else {
      try refuseOptions(comparison)
      return nil
    }
    if case .constant(.null, _) = other { return nil }
    if case .term = other { try refuseOptions(comparison) }
    let text = try exactly(other, as: term)
    let same = captures.constant("same", "ComparisonResult.orderedSame", comment: nil)
    let code = term.member("caseInsensitiveCompare(")
    return .condition(.sequence([code, text.code, .text(") == \(same)")]), .comparison)
  }
}

extension Queries.Comparator {
  /// The operator with its sides exchanged.
  var mirrored: Queries.Comparator {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: self
    }
  }
}

extension Queries.Expression {
  /// The elements of a list that is written out or given.
  var elementsOfList: [Queries.Expression]? {
    switch self {
    case .aggregate(let elements): elements
    case .constant(.list(let values)), .argument(.list(let values), _): values.map { .constant($0) }
    default: nil
    }
  }
}
