internal import Modeling

extension Checker {
  mutating func check(_ comparison: Comparison) {
    let left = leftType(of: comparison)
    if reportUnquoted(comparison, beside: left) { return }
    let right = type(of: comparison.right)
    // A side that could not be parsed has no type to check.
    if comparison.left.isHole || comparison.right.isHole { return }
    switch comparison.comparator {
    case .equal, .notEqual:
      expectSingleRight(comparison, right) { $0.checkOperands(comparison, left, right) }
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      expectSingleRight(comparison, right) { checker in
        if left.isOrdered && right.isOrdered {
          checker.checkOperands(comparison, left, right)
        } else {
          checker.reportMismatch(comparison, left, right)
        }
      }
    case .between: checkBetween(comparison, left, right)
    case .in: checkMembership(comparison, element: left, collection: right)
    case .contains: checkContains(comparison, left, right)
    case .beginsWith, .endsWith, .like, .matches:
      expectSingleRight(comparison, right) { checker in
        if !left.isText || !right.isText { checker.reportMismatch(comparison, left, right) }
      }
    }
    if comparison.comparator == .matches { checkRegularExpression(comparison) }
    checkOptions(comparison, left, right)
  }

  /// Reports an unknown word compared with a text as a text without its quotes; returns whether it was one.
  private mutating func reportUnquoted(_ comparison: Comparison, beside left: ExpressionType) -> Bool {
    guard case .path(let path) = comparison.right, path.onlyName != nil, left.attributeType?.isTextual == true
    else { return false }
    do {
      _ = try path.resolve(in: entity)
      return false
    } catch {
      guard case .unknownProperty(let name, let owner, let nearest)? = error.issues.first?.fact else { return false }
      var quoted = comparison
      quoted.right = .constant(.string(name))
      let instead = Predicate.comparison(quoted).description
      report(.unquotedText(name, entity: owner, nearest: nearest, instead: instead), at: path.origin)
      return true
    }
  }

  /// The type to compare on the left side: with ANY, ALL or NONE the type of an element.
  private mutating func leftType(of comparison: Comparison) -> ExpressionType {
    let type = type(of: comparison.left)
    let text = comparison.left.pathText ?? comparison.left.description
    guard comparison.modifier == .direct else {
      switch type {
      case .collection(let element): return element
      case .unknown: return .unknown
      // A JSON array.
      case .value(.transformable), .value(.any): return .value(.any)
      default:
        report(.quantifierNeedsToMany(comparison.modifier, text), at: comparison.left.origin ?? comparison.origin)
        return .unknown
      }
    }
    if case .collection = type, comparison.comparator != .contains {
      if comparison.left.pathText != nil {
        report(.toManyWithoutQuantifier(text), at: comparison.left.origin)
        return .unknown
      }
    }
    return type
  }

  private mutating func expectSingleRight(
    _ comparison: Comparison, _ right: ExpressionType, _ check: (inout Checker) -> Void
  ) {
    if case .collection = right, let text = comparison.right.pathText {
      report(.toManyWithoutQuantifier(text), at: comparison.right.origin)
    } else {
      check(&self)
    }
  }

  private mutating func checkOperands(_ comparison: Comparison, _ left: ExpressionType, _ right: ExpressionType) {
    if !fits(comparison.left, left, comparison.right, right) { reportMismatch(comparison, left, right) }
  }

  /// Whether the two can be compared; a UUID also with a text that contains one.
  private func fits(
    _ left: Expression, _ leftType: ExpressionType, _ right: Expression, _ rightType: ExpressionType
  ) -> Bool {
    if leftType.isComparable(with: rightType) { return true }
    if left.fitted(to: rightType).isConstant(comparableWith: rightType)
      || right.fitted(to: leftType).isConstant(comparableWith: leftType)
    {
      return true
    }
    switch (left, leftType, right, rightType) {
    case (.constant(let value), _, _, .value(.uuid)), (_, .value(.uuid), .constant(let value), _):
      return CastType.uuid.convert(value) != nil
    case (_, .value(.string), _, .value(.uuid)), (_, .value(.uuid), _, .value(.string)): return true
    default: return false
    }
  }

  private mutating func reportMismatch(_ comparison: Comparison, _ left: ExpressionType, _ right: ExpressionType) {
    report(
      .typeMismatch(
        comparator: comparison.comparator.rawValue, left: describe(comparison.left, left),
        right: describe(comparison.right, right), instead: remedy(comparison, left, comparison.right)),
      at: comparison.origin ?? comparison.left.origin ?? comparison.right.origin)
  }

  private mutating func checkBetween(_ comparison: Comparison, _ left: ExpressionType, _ right: ExpressionType) {
    guard let ends = comparison.right.listElements else {
      if right != .unknown { reportMismatch(comparison, left, right) }
      return
    }
    let types = ends.map { type(ofKnown: $0) }
    let isRange = ends.count == 2 && left.isOrdered
    if !isRange || !zip(ends, types).allSatisfy({ fits(comparison.left, left, $0, $1) && $1.isOrdered }) {
      reportMismatch(comparison, left, right)
    }
  }

  private mutating func checkMembership(
    _ comparison: Comparison, element: ExpressionType, collection: ExpressionType
  ) {
    switch collection {
    case .unknown, .null, .value(.any), .value(.transformable): break
    case .collection(let member):
      if let elements = comparison.right.listElements {
        var poll = InterruptionPoll()
        for item in elements {
          if (try? poll.step()) == nil { return }
          if fits(comparison.left, element, item, type(ofKnown: item)) { continue }
          reportMismatch(comparison, element, type(ofKnown: item), right: item)
          return
        }
      } else if !element.isComparable(with: member) {
        reportMismatch(comparison, element, collection)
      }
    default:
      // A text within a text.
      if !element.isText || !collection.isText {
        reportMismatch(comparison, element, collection)
      }
    }
  }

  private mutating func checkContains(_ comparison: Comparison, _ left: ExpressionType, _ right: ExpressionType) {
    if case .collection(let member) = left, comparison.modifier == .direct {
      let elements = comparison.left.listElements
      expectSingleRight(comparison, right) { checker in
        let fits =
          elements?.allSatisfy { checker.fits($0, checker.type(ofKnown: $0), comparison.right, right) }
          ?? member.isComparable(with: right)
        if !fits { checker.reportMismatch(comparison, left, right) }
      }
      return
    }
    // A JSON array.
    if left == .value(.transformable), comparison.modifier == .direct { return }
    expectSingleRight(comparison, right) { checker in
      let isWithinAnything = left == .value(.any)
      if !left.isText || !right.isText, !isWithinAnything { checker.reportMismatch(comparison, left, right) }
    }
  }

  private mutating func reportMismatch(
    _ comparison: Comparison, _ left: ExpressionType, _ rightType: ExpressionType, right: Expression
  ) {
    report(
      .typeMismatch(
        comparator: comparison.comparator.rawValue, left: describe(comparison.left, left),
        right: describe(right, rightType), instead: remedy(comparison, left, right)),
      at: comparison.origin ?? comparison.left.origin)
  }

  /// Returns a replacement for one side with which the two sides compare.
  private func remedy(_ comparison: Comparison, _ left: ExpressionType, _ right: Expression) -> String? {
    guard comparison.comparator.isStringOperator else {
      // A text of the store that means a date.
      if left == .value(.string), comparison.left.constantValue == nil, comparison.modifier == .direct,
        type(ofKnown: right) == .value(.date)
      {
        return Expression.cast(comparison.left, to: .date).description
      }
      return literal(right, as: left)
    }
    guard case .value = left, !left.isText, comparison.modifier == .direct else { return nil }
    return Expression.cast(comparison.left, to: .string).description
  }

  /// The given constant in the notation of the other side's type; nil if it has none.
  private func literal(_ expression: Expression, as type: ExpressionType) -> String? {
    guard let value = expression.constantValue, case .value(let wanted) = type else { return nil }
    let cast: CastType
    switch (wanted, value) {
    case (.boolean, .string): cast = .bool
    case (.integer16, .string), (.integer32, .string), (.integer64, .string), (.double, .string), (.float, .string),
      (.decimal, .string):
      cast = .number
    case (.date, .string(let text)) where Timestamp(iso8601: text) != nil: cast = .date
    case (.string, .int), (.string, .double), (.string, .decimal), (.url, .int): cast = .string
    default: return nil
    }
    return cast.convert(value).map { Expression.constant($0).description }
  }

  /// The type of a part whose whole was already checked.
  private func type(ofKnown expression: Expression) -> ExpressionType {
    var copy = self
    return copy.type(of: expression)
  }

  private mutating func checkRegularExpression(_ comparison: Comparison) {
    guard case .string(let pattern) = comparison.right.constantValue else { return }
    if let reason = RegularExpression.problem(in: pattern) {
      report(.invalidRegularExpression(pattern, reason: reason), at: comparison.origin)
    }
  }

  /// Reports string options on a side that cannot be a text.
  private mutating func checkOptions(_ comparison: Comparison, _ left: ExpressionType, _ right: ExpressionType) {
    guard !comparison.options.isEmpty, !comparison.comparator.isStringOperator else { return }
    var element = right
    if case .collection(let member) = right { element = member }
    let known = [left, element].filter { $0 != .unknown && $0 != .null }
    guard !known.isEmpty, known.allSatisfy({ !$0.isText }) else { return }
    let spelling = comparison.comparator.rawValue + FormatPrinter().text(comparison.options)
    report(
      .typeMismatch(
        comparator: spelling, left: describe(comparison.left, left), right: describe(comparison.right, right)),
      at: comparison.origin)
  }
}

extension Expression {
  /// Whether it is a constant that can be compared with values of a type.
  fileprivate func isConstant(comparableWith type: ExpressionType) -> Bool {
    guard let value = constantValue else { return false }
    // The output of an app's value transformer is data.
    if case .data = value, type == .value(.transformable) { return true }
    return ExpressionType(of: value).isComparable(with: type)
  }
}
