internal import Modeling
internal import Queries

extension PredicateLowering {
  mutating func lower(call syntax: SwiftSyntax) -> Lowered {
    guard case .call(let callee, _, let arguments) = syntax.kind else { return .nothing }
    guard case .member(let base?, let method) = callee.kind else { return refuseCall(callee, syntax) }
    if method == "evaluate", case .name(let name) = base.kind, scope[name] == nil {
      return evaluate(name, arguments, syntax)
    }
    guard Self.methods.contains(method) else {
      if !dependsOnObject(syntax) { return reportComputed(syntax) }
      return refuseMethod(method, base, arguments, syntax)
    }
    if !dependsOnObject(syntax), !isCollectionOfConstants(base) { return reportComputed(syntax) }
    let lowered = lower(base)
    if lowered.isNothing {
      arguments.forEach { lowerForMistakes($0.value) }
      return .nothing
    }
    return call(method, lowered, base, arguments, syntax)
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

  /// Reports what a method was given in the place of what it takes.
  private mutating func expected(_ what: String, _ syntax: SwiftSyntax) -> Lowered {
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

  private mutating func call(
    _ method: String, _ base: Lowered, _ source: SwiftSyntax, _ closure: ClosureSyntax, _ syntax: SwiftSyntax
  ) -> Lowered {
    switch method {
    case "flatMap":
      guard let expression = base.expression else { return expected("an optional", source) }
      var bound = base
      bound.optionals = []
      return body(of: closure, [bound]).optional(base.optionals + [expression])
    case "contains", "filter", "allSatisfy": break
    default: return expected("a text", syntax)
    }
    if case .value = base.type { return expected("a collection", source) }
    if case .object = base.type { return expected("a collection", source) }
    let collection = value(base, at: source.range)
    let optionals = base.optionals.filter { $0 != collection }
    let isForAll = method == "allSatisfy"
    let (variable, condition) = elementCondition(closure, of: base, isExact: isForAll)
    if method == "filter" {
      return Lowered.value(.subquery(collection, variable: variable, condition), base.type).optional(optionals)
    }
    if !isForAll, !isExact, let any = Self.any(collection, variable, condition) {
      return Lowered.condition(any).optional(optionals)
    }
    let subquery = Expression.subquery(collection, variable: variable, isForAll ? condition.negated : condition)
    let count = Expression.collection(.count, of: subquery, key: nil)
    let exists = Predicate.comparing(count, isForAll ? .equal : .notEqual, .constant(.int(0)))
    return Lowered.condition(exists).optional(optionals)
  }

  /// ANY, where it means the same: one comparison of an attribute of the element with something else.
  private static func any(_ collection: Expression, _ variable: String, _ condition: Predicate) -> Predicate? {
    guard case .path(let path) = collection, case .comparison(var comparison) = condition,
      comparison.modifier == .direct, case .variablePath(variable, let key) = comparison.left,
      !comparison.right.variables.contains(variable)
    else { return nil }
    comparison.left = .path(PropertyPath(path.components + key.components, origin: key.origin))
    comparison.modifier = .any
    return .comparison(comparison)
  }

  // MARK: Values

  private mutating func extreme(_ function: CollectionOperator, of base: Lowered, _ source: SwiftSyntax) -> Lowered {
    guard base.isCollection || base.type == .unknown, let expression = base.expression else {
      return expected("a collection", source)
    }
    var type = ExpressionType.unknown
    if case .collection(let element) = base.type { type = element }
    if case .object = type { return expected("a collection of values", source) }
    // The elements of a list that is written out are the arguments of a function.
    if case .array(let elements) = source.unwrapped.kind, !elements.isEmpty {
      let arguments = elements.map { value(lower($0), at: $0.range) }
      return .value(.function((function == .minimum ? ExpressionFunction.min : .max).rawValue, arguments), type)
    }
    return Lowered.value(.collection(function, of: expression, key: nil), type).optional(base.optionals)
  }

  private mutating func compare(
    _ base: Lowered, _ source: SwiftSyntax, _ comparator: Comparator, _ options: ComparisonOptions,
    _ argument: SwiftSyntax, _ syntax: SwiftSyntax
  ) -> Lowered {
    let other = lower(argument)
    if other.isNothing { return .nothing }
    let predicate = Predicate.comparing(
      value(base, at: source.range), comparator, value(other, at: argument.range), options: options,
      at: origin(syntax.range))
    return Lowered.condition(predicate).optional(base.optionals + other.optionals)
  }

  private mutating func ordering(
    _ base: Lowered, _ source: SwiftSyntax, _ options: ComparisonOptions, _ argument: SwiftSyntax
  ) -> Lowered {
    let other = lower(argument)
    if other.isNothing { return .nothing }
    let (left, right) = (value(base, at: source.range), value(other, at: argument.range))
    return Lowered(meaning: .ordering(left, right, options)).optional(base.optionals + other.optionals)
  }

  private mutating func contains(
    _ base: Lowered, _ source: SwiftSyntax, _ argument: SwiftSyntax, _ syntax: SwiftSyntax
  ) -> Lowered {
    let element = lower(argument)
    if element.isNothing { return .nothing }
    if case .range(let lower, let upper, let isClosed) = base.meaning {
      let value = value(element, at: argument.range)
      return Lowered.condition(Self.within(value, lower, upper, isClosed: isClosed, at: origin(syntax.range)))
        .optional(element.optionals)
    }
    if case .pattern(let pattern, let options) = element.meaning {
      let matches = Predicate.comparing(
        value(base, at: source.range), .matches, .constant(.string(Self.wholePattern(pattern))), options: options,
        at: origin(syntax.range))
      return Lowered.condition(matches).optional(base.optionals)
    }
    if isObjectItself(element) {
      issues.report(.objectComparison(self.source(argument)), at: argument.range)
      return .nothing
    }
    let isText = base.isText || usage.isText(source)
    guard base.isCollection || base.isCaptured && !isText else {
      return compare(base, source, .contains, [], argument, syntax)
    }
    let predicate = Predicate.comparing(
      value(element, at: argument.range), .in, value(base, at: source.range), at: origin(syntax.range))
    return Lowered.condition(predicate).optional(element.optionals)
  }

  /// Whether an object is looked for by itself and not by its identifier.
  private func isObjectItself(_ lowered: Lowered) -> Bool {
    if lowered.isIdentifier || lowered.isCaptured { return false }
    if case .object = lowered.type { return true }
    return lowered.expression == .object
  }

  /// The condition that a value lies in a range.
  private static func within(
    _ value: Expression, _ lower: Expression?, _ upper: Expression?, isClosed: Bool, at origin: Origin
  ) -> Predicate {
    if isClosed, let lower, let upper {
      return .comparing(value, .between, .list(of: [lower, upper]), at: origin)
    }
    let bounds = [
      lower.map { Predicate.comparing(value, .greaterOrEqual, $0, at: origin) },
      upper.map { Predicate.comparing(value, isClosed ? .lessOrEqual : .less, $0, at: origin) },
    ]
    return .all(bounds.compactMap(\.self))
  }

  /// The pattern of a whole text that has a match of `pattern` somewhere.
  private static func wholePattern(_ pattern: String) -> String {
    var body = pattern[...]
    if body.hasPrefix("\\A(?:"), body.hasSuffix(")\\z"), closesAtEnd(body.dropFirst(2).dropLast(2)) {
      return String(body.dropFirst(5).dropLast(3))
    }
    let isAnchored = body.hasPrefix("^")
    if isAnchored { body = body.dropFirst() }
    let backslashes = body.dropLast().reversed().prefix { $0 == "\\" }.count
    let isEnded = body.hasSuffix("$") && backslashes.isMultiple(of: 2)
    if isEnded { body = body.dropLast() }
    if isAnchored, isEnded, body.hasPrefix("(?:"), closesAtEnd(body) { return String(body.dropFirst(3).dropLast()) }
    // Anchors belong to the alternatives they stand in.
    if body.contains("|"), !(body.hasPrefix("(") && closesAtEnd(body)) { return ".*(?:\(pattern)).*" }
    return (isAnchored ? "" : ".*") + body + (isEnded ? "" : ".*")
  }

  /// Whether the group that opens a pattern is closed by its last character.
  private static func closesAtEnd(_ pattern: Substring) -> Bool {
    var depth = 0
    var isEscaped = false
    var isClass = false
    for (offset, character) in pattern.enumerated() {
      defer { isEscaped = character == "\\" && !isEscaped }
      if isEscaped { continue }
      switch character {
      case "[": isClass = true
      case "]": isClass = false
      case "(" where !isClass: depth += 1
      case ")" where !isClass:
        depth -= 1
        if depth == 0 { return offset == pattern.count - 1 }
      default: break
      }
    }
    return false
  }

  // MARK: Other predicates

  /// `other.evaluate($0)`: the condition of a predicate that was declared before.
  private mutating func evaluate(_ name: String, _ arguments: [SwiftArgument], _ syntax: SwiftSyntax) -> Lowered {
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
