internal import Modeling

extension PredicateCompiler {
  mutating func condition(_ comparison: Comparison) throws(PredicateError) -> Condition {
    if comparison.modifier != .direct { return try quantified(comparison) }
    if comparison.comparator == .contains, let elements = try elements(comparison.left) {
      return try containment(comparison, elements)
    }
    if comparison.comparator == .contains, mayBeJSON(comparison.left) { return try containmentInAnything(comparison) }
    // A nil on the left side asks the same as one on the right.
    if comparison.left == .constant(.null), comparison.comparator == .equal || comparison.comparator == .notEqual {
      var mirrored = comparison
      (mirrored.left, mirrored.right) = (comparison.right, comparison.left)
      return try direct(mirrored)
    }
    return try direct(comparison)
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

  /// A list written out is an OR or AND of its elements.
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

  /// The right side and the operator of a comparison, ready for any left value.
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

  /// The answer where a nil, or two values of different classes, are compared.
  private var neither: Bool? { semantics == .memory ? false : nil }

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

  /// Whether a side is a column without a declared type or an element of JSON, whose values have classes of their own.
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

  /// How the left value is compared with the right one, or with one end of a range on the right.
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
    let (compareLow, compareHigh) = (comparing(comparison, with: ends[0]), comparing(comparison, with: ends[1]))
    let neither = neither
    return { left, frame in
      let isAbove = try compareLow(left, low(frame)).map { $0 >= 0 } ?? neither
      let isBelow = try compareHigh(left, high(frame)).map { $0 <= 0 } ?? neither
      if isAbove == false || isBelow == false { return false }
      return isAbove == nil || isBelow == nil ? nil : true
    }
  }

  // MARK: Text

  private mutating func text(_ comparison: Comparison) throws(PredicateError) -> ComparisonTest {
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

  // MARK: Membership

  private mutating func membership(_ comparison: Comparison) throws(PredicateError) -> ComparisonTest {
    if case .constant(.list(let values)) = comparison.right { return membership(in: values, comparison.options) }
    if let list = comparison.right.listElements {
      var elements: [Evaluator] = []
      for element in list { elements.append(try value(element)) }
      let options = comparison.options
      return { [self, elements] left, frame in try member(left, elements.map { try $0(frame) }, options) }
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

  /// CONTAINS of what may be an array in JSON, or a text.
  private mutating func containmentInAnything(_ comparison: Comparison) throws(PredicateError) -> Condition {
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

  /// `reports CONTAINS $r`: over a to-many whether there is such an element, over a list as IN.
  private mutating func containment(
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

  /// Membership in a list of constants: by hash where hashing finds what comparing does, and it pays.
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

  /// SQL's IN: false in nothing, true if found, neither if a nil was compared.
  private func member(_ value: Value, _ values: [Value], _ options: ComparisonOptions) -> Bool? {
    var result: Bool? = false
    for candidate in values {
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
    // Of another class: not this one, but perhaps one of the others.
    return left.compare(right, options) == 0
  }
}

/// The last pattern that was not constant; mostly the next object has the same.
private final class PatternCache {
  private let comparator: Comparator
  private let options: ComparisonOptions
  private var last: (text: String, pattern: TextPattern)?

  init(_ comparator: Comparator, _ options: ComparisonOptions) {
    self.comparator = comparator
    self.options = options
  }

  func pattern(_ text: String) throws -> TextPattern {
    if let last, compareBytes(last.text, text) == 0 { return last.pattern }
    let pattern = try TextPattern(comparator, text, options)
    last = (text, pattern)
    return pattern
  }
}
