internal import Modeling

extension PredicateCompiler {
  mutating func condition(_ comparison: Comparison) throws(PredicateError) -> Condition {
    let comparison = fitted(comparison)
    if comparison.modifier != .direct { return try quantified(comparison) }
    if comparison.comparator == .contains, let elements = try elements(comparison.left) {
      return try containment(comparison, elements)
    }
    if comparison.comparator == .contains, mayBeJSON(comparison.left) { return try containmentInAnything(comparison) }
    // A nil on the left side means the same as one on the right.
    if comparison.left == .constant(.null), comparison.comparator == .equal || comparison.comparator == .notEqual {
      var mirrored = comparison
      (mirrored.left, mirrored.right) = (comparison.right, comparison.left)
      return try direct(mirrored)
    }
    return try direct(comparison)
  }

  /// The comparison with constants converted to the other side's type.
  func fitted(_ comparison: Comparison) -> Comparison {
    var fitted = comparison
    switch comparison.comparator {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      fitted.right = self.fitted(comparison.right, beside: comparison.left, comparison.modifier)
      if comparison.modifier == .direct {
        fitted.left = self.fitted(comparison.left, beside: comparison.right, .direct)
      }
    case .in, .between:
      fitted.right = fittedElements(comparison.right, beside: comparison.left, comparison.modifier)
    case .contains: fitted.left = fittedElements(comparison.left, beside: comparison.right, .direct)
    case .beginsWith, .endsWith, .like, .matches: break
    }
    if comparison.modifier != .direct {
      fitted.left = fittedElements(fitted.left, beside: comparison.right, .direct)
    }
    return fitted
  }

  /// A constant converted to the type of the other side; with a quantifier, to the type of its elements. Other
  /// expressions stay.
  func fitted(_ expression: Expression, beside other: Expression, _ modifier: ComparisonModifier) -> Expression {
    guard expression.constantValue != nil else { return expression }
    let type = type(of: other)
    // The elements of a JSON array may be of any type.
    if modifier != .direct, type == .value(.transformable) { return expression }
    return expression.fitted(to: type)
  }

  /// A list with its constant elements converted; other expressions stay.
  private func fittedElements(
    _ expression: Expression, beside other: Expression, _ modifier: ComparisonModifier
  ) -> Expression {
    guard let elements = expression.listElements else { return expression }
    let type = type(of: other)
    if modifier != .direct, type == .value(.transformable) { return expression }
    var fitted: [Expression] = []
    fitted.reserveCapacity(elements.count)
    var poll = InterruptionPoll()
    for element in elements {
      // A stopped compilation evaluates nothing.
      if (try? poll.step()) == nil { return expression }
      fitted.append(element.constantValue == nil ? element : element.fitted(to: type))
    }
    return Expression.list(fitted)
  }

  private mutating func direct(_ comparison: Comparison) throws(PredicateError) -> Condition {
    let left = try valueOrList(comparison.left)
    let test = try test(comparison)
    return { frame in try test(left(frame), frame) }
  }

  // MARK: Quantifiers

  private mutating func quantified(_ comparison: Comparison) throws(PredicateError) -> Condition {
    guard let elements = try collected(comparison.left) else {
      throw PredicateError(
        .quantifierNeedsToMany(comparison.modifier, comparison.left.description), at: comparison.origin)
    }
    let test = try test(comparison)
    if comparison.left.listElements != nil { return Self.overList(comparison.modifier, elements, test) }
    switch comparison.modifier {
    case .any, .direct: return { frame in try elements(frame).contains { try test($0.value, frame) == true } }
    case .none: return { frame in try !elements(frame).contains { try test($0.value, frame) == true } }
    case .all: return { frame in try !elements(frame).contains { try test($0.value, frame) != true } }
    }
  }

  /// A literal list is an OR or AND of its elements.
  private static func overList(
    _ modifier: ComparisonModifier, _ elements: @escaping ElementsEvaluator, _ test: @escaping ComparisonTest
  ) -> Condition {
    let deciding = modifier != .all
    return { frame in
      var isNeither = false
      for element in try elements(frame) {
        let answer = try test(element.value, frame)
        if answer == deciding { return modifier == .any }
        if answer == nil { isNeither = true }
      }
      return isNeither ? nil : modifier != .any
    }
  }

  // MARK: Tests

  /// The right side and the operator of a comparison, compiled for any left value.
  mutating func test(_ comparison: Comparison) throws(PredicateError) -> ComparisonTest {
    switch comparison.comparator {
    case .equal, .notEqual: return try equality(comparison)
    case .less: return try order(comparison) { $0 < 0 }
    case .lessOrEqual: return try order(comparison) { $0 <= 0 }
    case .greater: return try order(comparison) { $0 > 0 }
    case .greaterOrEqual: return try order(comparison) { $0 >= 0 }
    case .between: return try between(comparison)
    case .in: return try membership(comparison)
    case .contains, .beginsWith, .endsWith, .like, .matches: return try text(comparison)
    }
  }

  /// The result of a comparison with a nil, or of two values of different types.
  var neither: Bool? { semantics == .memory ? false : nil }

  private mutating func equality(_ comparison: Comparison) throws(PredicateError) -> ComparisonTest {
    let isEquality = comparison.comparator == .equal
    if comparison.right == .constant(.null) { return { left, _ in left.isNull == isEquality } }
    let right = try value(comparison.right)
    let options = comparison.options
    if semantics == .memory {
      return { left, frame in
        let right = try right(frame)
        return (left.isNull && right.isNull || left.compare(right, options) == 0) == isEquality
      }
    }
    if holdsAnything(comparison) {
      return { left, frame in try left.compareAcrossClasses(right(frame), options).map { ($0 == 0) == isEquality } }
    }
    return { left, frame in try left.compare(right(frame), options).map { ($0 == 0) == isEquality } }
  }

  /// Whether a side is a column without a declared type or an element of JSON, whose values have different types.
  private func holdsAnything(_ comparison: Comparison) -> Bool {
    if comparison.modifier != .direct, mayBeJSON(comparison.left) { return true }
    return [comparison.left, comparison.right].contains { side in
      switch type(of: side) {
      case .value(.any), .collection(.value(.any)): true
      default: false
      }
    }
  }

  private mutating func order(
    _ comparison: Comparison, _ isRight: @escaping (Int) -> Bool
  ) throws(PredicateError) -> ComparisonTest {
    let right = try value(comparison.right)
    let (compare, neither) = (comparing(comparison), neither)
    return { left, frame in try compare(left, right(frame)).map(isRight) ?? neither }
  }

  /// Compares the left value with the right one, or with one end of a range on the right.
  private func comparing(_ comparison: Comparison, with end: Expression? = nil) -> (Value, Value) -> Int? {
    let options = comparison.options
    var comparison = comparison
    if let end { comparison.right = end }
    if semantics == .store, holdsAnything(comparison) { return { $0.compareAcrossClasses($1, options) } }
    return { $0.compare($1, options) }
  }

  private mutating func between(_ comparison: Comparison) throws(PredicateError) -> ComparisonTest {
    guard let ends = comparison.right.listElements, ends.count == 2 else {
      throw PredicateError(
        .unexpected(found: comparison.right.description, expected: "{ lowest, highest }"), at: comparison.origin)
    }
    let (low, high) = (try value(ends[0]), try value(ends[1]))
    // A constant between two values is converted for each of them separately.
    let (beside, above) = (
      fitted(comparison.left, beside: ends[0], comparison.modifier).constantValue,
      fitted(comparison.left, beside: ends[1], comparison.modifier).constantValue
    )
    let (compareLow, compareHigh) = (comparing(comparison, with: ends[0]), comparing(comparison, with: ends[1]))
    let neither = neither
    return { left, frame in
      let isAbove = try compareLow(beside ?? left, low(frame)).map { $0 >= 0 } ?? neither
      let isBelow = try compareHigh(above ?? left, high(frame)).map { $0 <= 0 } ?? neither
      if isAbove == false || isBelow == false { return false }
      return isAbove == nil || isBelow == nil ? nil : true
    }
  }

  // MARK: Text

  mutating func text(_ comparison: Comparison) throws(PredicateError) -> ComparisonTest {
    let neither = neither
    if case .constant(let constant) = comparison.right {
      guard let text = constant.text else { return { _, _ in neither } }
      let pattern = try TextPattern(comparison.comparator, text, comparison.options)
      return { left, _ in try left.text.map { try pattern.matches($0) } ?? neither }
    }
    let right = try value(comparison.right)
    let patterns = PatternCache(comparison.comparator, comparison.options)
    return { left, frame in
      guard let left = left.text, let pattern = try right(frame).text else { return neither }
      return try patterns.pattern(pattern).matches(left)
    }
  }
}
