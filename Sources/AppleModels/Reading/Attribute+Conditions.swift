internal import Modeling
internal import Queries

// Bounds, lengths and patterns, which Apple's models have as predicates.
extension Attribute {
  /// Takes a condition over if it is only bounds, lengths or a pattern; returns whether it was.
  ///
  ///     length >= 3 AND length <= 50        // minimumLength = 3, maximumLength = 50
  mutating func absorb(_ condition: ValidationPredicate) -> Bool {
    guard let predicate = try? Predicate.parse(condition.predicate) else { return false }
    let terms = if case .and(let terms) = predicate { terms } else { [predicate] }
    var changed = self
    for term in terms {
      guard case .comparison(let comparison) = term, comparison.modifier == .direct, comparison.options.isEmpty,
        let value = comparison.right.constantValue, changed.absorb(comparison, value)
      else { return false }
    }
    guard changed.isSound else { return false }
    self = changed
    return true
  }

  private mutating func absorb(_ comparison: Comparison, _ value: Value) -> Bool {
    if comparison.left == .object { return absorbValue(comparison.comparator, value) }
    let lengths: [Expression] = [.path(PropertyPath(["length"])), .call(.length, .object)]
    guard type.isTextual, lengths.contains(comparison.left), case .int(let number) = value,
      let length = Int(exactly: number)
    else { return false }
    return absorbLength(comparison.comparator, length)
  }

  private mutating func absorbValue(_ comparator: Comparator, _ value: Value) -> Bool {
    switch (comparator, value) {
    case (.matches, .string(let pattern)) where type.isTextual && regularExpression == nil:
      regularExpression = pattern
    case (.greaterOrEqual, _) where minimum.isNull && hasOrder: minimum = value
    case (.lessOrEqual, _) where maximum.isNull && hasOrder: maximum = value
    case (.between, .list(let bounds)) where bounds.count == 2 && minimum.isNull && maximum.isNull && hasOrder:
      (minimum, maximum) = (bounds[0], bounds[1])
    default: return false
    }
    return true
  }

  private mutating func absorbLength(_ comparator: Comparator, _ length: Int) -> Bool {
    switch comparator {
    case .greaterOrEqual where minimumLength == nil: minimumLength = length
    case .lessOrEqual where maximumLength == nil: maximumLength = length
    case .equal where minimumLength == nil && maximumLength == nil: (minimumLength, maximumLength) = (length, length)
    default: return false
    }
    return true
  }

  private var hasOrder: Bool { type.isNumeric || type == .date }

  /// Whether a model takes it as it is; Apple's have defaults that break their own bounds.
  var isSound: Bool { (try? Model([EntityDescription("Entity", properties: [.attribute(self)])])) != nil }

  /// The bounds, lengths and pattern as conditions.
  var conditions: [ValidationPredicate] {
    var texts: [String] = []
    let length = Expression.path(PropertyPath(["length"]))
    func add(_ left: Expression, _ comparator: Comparator, _ value: Value) {
      texts.append(Predicate.comparison(Comparison(left, comparator, .constant(value))).format)
    }
    if !minimum.isNull { add(.object, .greaterOrEqual, minimum) }
    if !maximum.isNull { add(.object, .lessOrEqual, maximum) }
    if let minimumLength { add(length, .greaterOrEqual, .int(Int64(minimumLength))) }
    if let maximumLength { add(length, .lessOrEqual, .int(Int64(maximumLength))) }
    if let regularExpression { add(.object, .matches, .string(regularExpression)) }
    return texts.map { ValidationPredicate($0) }
  }

  /// The attribute without bounds, lengths and pattern.
  var unbounded: Attribute {
    var copy = self
    (copy.minimum, copy.maximum) = (.null, .null)
    (copy.minimumLength, copy.maximumLength, copy.regularExpression) = (nil, nil, nil)
    return copy
  }
}
