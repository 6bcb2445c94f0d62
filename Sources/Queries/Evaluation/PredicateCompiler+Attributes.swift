internal import Modeling

extension PredicateCompiler {
  /// Compiles a condition; comparisons of attributes become condition objects of their own.
  mutating func attributeCondition(_ predicate: Predicate) throws(PredicateError) -> AttributeCondition {
    switch predicate {
    case .and(let terms): return Conjunction(try attributeConditions(terms), deciding: false)
    case .or(let terms): return Conjunction(try attributeConditions(terms), deciding: true)
    case .not(let inner): return Negation(try attributeCondition(inner))
    case .comparison(let comparison):
      if let simple = try attributeCondition(fitted(comparison)) { return simple }
    case .constant, .expression: break
    }
    return ComputedCondition(try condition(predicate))
  }

  private mutating func attributeConditions(_ terms: [Predicate]) throws(PredicateError) -> [AttributeCondition] {
    var conditions: [AttributeCondition] = []
    for term in terms { conditions.append(try attributeCondition(term)) }
    return conditions
  }

  /// A comparison of an attribute of one declared type with a constant; nil for any other.
  private func attributeCondition(_ comparison: Comparison) throws(PredicateError) -> AttributeCondition? {
    guard comparison.modifier == .direct, case .path(let path) = comparison.left, let name = path.onlyName,
      let index = entity.index(of: name), let attribute = entity.properties[index].attribute,
      ![.any, .transformable, .composite].contains(attribute.type)
    else { return nil }
    if comparison.comparator == .between, let ends = comparison.right.listElements, ends.count == 2 {
      guard let low = try test(.greaterOrEqual, ends[0], comparison.options, of: index),
        let high = try test(.lessOrEqual, ends[1], comparison.options, of: index)
      else { return nil }
      return Conjunction([low, high], deciding: false)
    }
    return try test(comparison.comparator, comparison.right, comparison.options, of: index)
  }

  private func test(
    _ comparator: Comparator, _ right: Expression, _ options: ComparisonOptions, of attribute: Int
  ) throws(PredicateError) -> AttributeCondition? {
    guard let constant = right.constantValue else { return nil }
    if comparator == .equal || comparator == .notEqual, constant.isNull {
      return NilCondition(attribute, isNil: comparator == .equal)
    }
    let answers = ComparisonAnswers(comparator, semantics)
    switch comparator {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: break
    case .contains, .beginsWith, .endsWith, .like, .matches:
      guard let text = constant.text else { return nil }
      return TextCondition(attribute, try TextPattern(comparator, text, options), answers)
    case .between, .in: return nil
    }
    switch constant {
    case .double(let number): return NumberCondition(attribute, number, constant, answers)
    case .int(let number) where Int64(exactly: Double(number)) == number:
      return NumberCondition(attribute, Double(number), constant, answers)
    case .string(let text) where options.isPlain: return PlainTextCondition(attribute, text, constant, answers)
    case .list: return nil
    default: return ValueCondition(attribute, constant, options, answers)
    }
  }
}
