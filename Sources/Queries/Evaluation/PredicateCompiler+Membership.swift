internal import Modeling

// IN, and CONTAINS for collections and for values that may be JSON arrays.
extension PredicateCompiler {
  mutating func membership(_ comparison: Comparison) throws(PredicateError) -> ComparisonTest {
    if case .constant(.list(let values)) = comparison.right { return membership(in: values, comparison.options) }
    if let list = comparison.right.listElements {
      var elements: [Evaluator] = []
      for element in list { elements.append(try value(element)) }
      let options = comparison.options
      // A constant is converted for each element separately.
      let lefts = list.map { fitted(comparison.left, beside: $0, comparison.modifier).constantValue }
      return { [self, elements] left, frame in
        try member(zip(lefts, elements).map { ($0 ?? left, try $1(frame)) }, options)
      }
    }
    if let elements = try elements(comparison.right) {
      let options = comparison.options
      return { [self] left, frame in try elements(frame).contains { isSame(left, $0.value, options) == true } }
    }
    let within = try textWithin(comparison)
    guard mayBeJSON(comparison.right) else { return within }
    let right = try value(comparison.right)
    let options = comparison.options
    return { [self] left, frame in
      guard case .json(.array(let elements)) = try right(frame) else { return try within(left, frame) }
      return elements.contains { isSame(left, Value(plain: $0), options) == true }
    }
  }

  /// CONTAINS for a value that may be a JSON array or a text.
  mutating func containmentInAnything(_ comparison: Comparison) throws(PredicateError) -> Condition {
    let (left, right, within) = (try value(comparison.left), try value(comparison.right), try text(comparison))
    let options = comparison.options
    return { [self] frame in
      let left = try left(frame)
      guard case .json(.array(let elements)) = left else { return try within(left, frame) }
      let right = try right(frame)
      return elements.contains { isSame(right, Value(plain: $0), options) == true }
    }
  }

  /// `"x" IN name`: the right text contains the left one.
  private mutating func textWithin(_ comparison: Comparison) throws(PredicateError) -> ComparisonTest {
    let right = try value(comparison.right)
    let patterns = PatternCache(.contains, comparison.options)
    let neither = neither
    return { left, frame in
      guard let wanted = left.text, let text = try right(frame).text else { return neither }
      return try patterns.pattern(wanted).matches(text)
    }
  }

  /// `reports CONTAINS $r`: over a to-many relationship, whether such an element exists; over a list, the same as IN.
  mutating func containment(
    _ comparison: Comparison, _ elements: @escaping ElementsEvaluator
  ) throws(PredicateError) -> Condition {
    let right = try value(comparison.right)
    let options = comparison.options
    if comparison.left.listElements != nil {
      return { [self] frame in try member(right(frame), elements(frame).map(\.value), options) }
    }
    return { [self] frame in
      let right = try right(frame)
      return try elements(frame).contains { isSame(right, $0.value, options) == true }
    }
  }

  /// Membership in a list of constants: by hash if hashing finds the same values as comparing, and if it pays.
  private func membership(in values: [Value], _ options: ComparisonOptions) -> ComparisonTest {
    let isHashable = values.allSatisfy { value in
      switch value {
      case .null, .bool, .int, .double, .decimal, .date: true
      case .string, .url: options.isPlain
      default: false
      }
    }
    guard isHashable, values.count > 8 else { return { [self] left, _ in member(left, values, options) } }
    let keys = Set(values.map { ValueKey($0) })
    let hasNull = values.contains(.null)
    return { [self] left, _ in
      switch left {
      case .null, .uuid, .data, .json, .object, .list: return member(left, values, options)
      default: break
      }
      if keys.contains(ValueKey(left)) { return true }
      return hasNull ? neither : false
    }
  }

  /// SQL's IN: false in an empty list, true if found, neither if a nil was compared.
  private func member(_ value: Value, _ values: [Value], _ options: ComparisonOptions) -> Bool? {
    member(values.map { (value, $0) }, options)
  }

  private func member(_ pairs: [(value: Value, candidate: Value)], _ options: ComparisonOptions) -> Bool? {
    var result: Bool? = false
    for (value, candidate) in pairs {
      switch isSame(value, candidate, options) {
      case true: return true
      case nil: result = nil
      default: break
      }
    }
    return result
  }

  private func isSame(_ left: Value, _ right: Value, _ options: ComparisonOptions) -> Bool? {
    if semantics == .memory { return left.isNull && right.isNull || left.compare(right, options) == 0 }
    if left.isNull || right.isNull { return nil }
    // Values of different types do not compare; another element may.
    return left.compare(right, options) == 0
  }
}
