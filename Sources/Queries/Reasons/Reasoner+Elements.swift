internal import Modeling

// Comparisons over many elements, and SUBQUERY.
extension Reasoner {
  /// Returns the result of a comparison over a collection; nil for a comparison of single values.
  func counted(_ comparison: Comparison) throws -> ElementsReason? {
    var compiler = compiler
    if comparison.modifier != .direct {
      let test = try compiler.test(comparison)
      return try elements(comparison.left, deciding: comparison.modifier != .all, near: comparison.right) {
        try test($0, frame)
      }
    }
    switch comparison.comparator {
    case .contains:
      guard try compiler.elements(comparison.left) != nil else { return nil }
      return try membership(of: comparison.right, in: comparison.left, comparison.options)
    case .in:
      guard comparison.right.listElements == nil, try compiler.elements(comparison.right) != nil else { return nil }
      return try membership(of: comparison.left, in: comparison.right, comparison.options)
    default: return nil
    }
  }

  private func membership(
    of wanted: Expression, in collection: Expression, _ options: ComparisonOptions
  ) throws -> ElementsReason? {
    let wanted = try value(wanted)
    let takesNil = compiler.semantics == .memory
    return try elements(collection, deciding: true, near: .constant(wanted)) { element in
      takesNil && element.isNull && wanted.isNull || element.compare(wanted, options) == 0
    }
  }

  /// Visits a collection; the first element whose result is (or, for ALL, is not) true decides.
  private func elements(
    _ collection: Expression, deciding: Bool, near right: Expression, _ test: (Value) throws -> Bool?
  ) throws -> ElementsReason? {
    var compiler = compiler
    guard let evaluator = try compiler.elements(collection) else { return nil }
    let elements = try evaluator(frame)
    let owners = try owners(of: collection, count: elements.count)
    var reason = ElementsReason(collection: collection, count: elements.count, matchingCount: 0)
    let target = right.listElements?.first ?? right
    let goal = try elements.isEmpty ? Value.null : value(target)
    var least = Double.infinity
    for (position, element) in elements.enumerated() {
      let value = element.value
      let isMatch = try test(value) == true
      if isMatch { reason.matchingCount += 1 }
      let entry = ElementReason(position: position + 1, object: owners?[position] ?? value.objectID, value: value)
      if isMatch == deciding, reason.deciding == nil { reason.deciding = entry }
      let distance = value.distance(to: goal)
      if distance < least || reason.nearest == nil { (least, reason.nearest) = (min(distance, least), entry) }
    }
    // If ALL is true, no element came closest.
    if reason.deciding != nil || !deciding { reason.nearest = nil }
    return reason
  }

  /// The objects whose values a path collects; nil if they cannot be identified one by one.
  private func owners(of collection: Expression, count: Int) throws -> [ObjectID]? {
    guard case .path(let path) = collection else { return nil }
    let resolved = try path.resolve(in: compiler.entity)
    guard resolved.toManyCount == 1, let position = resolved.hops.firstIndex(where: \.isToMany) else { return nil }
    var compiler = compiler
    let prefix = PropertyPath(Array(path.components.prefix(position + 1)))
    let owners = try compiler.elements(.path(prefix))?(frame).compactMap(\.value.objectID)
    return owners?.count == count ? owners : nil
  }

  // MARK: SUBQUERY

  /// The maximum number of elements that are examined for the one that came closest.
  private static let mostExamples = 100

  func selection(_ source: Expression, _ name: String, _ predicate: Predicate) throws -> SelectionReason {
    var outer = compiler
    let elements = try outer.elements(source)?(frame) ?? []
    var inner = self.compiler
    let index = (inner.scope.values.map { $0.index + 1 }.max() ?? 0)
    var entity: Entity?
    if case .collection(.object(let found)) = compiler.type(of: source) { entity = found }
    inner.scope[name] = (index, entity)
    let condition = try inner.condition(predicate)
    var selection = SelectionReason(collection: source, variable: name, count: elements.count, selectedCount: 0)
    var fewest = Int.max
    for (position, element) in elements.enumerated() {
      var frame = frame
      frame.elements = Array(frame.elements.prefix(index)) + [element]
      let isSelected = try condition(frame) == true
      let isFirst = isSelected && selection.selectedCount == 0
      if isSelected { selection.selectedCount += 1 }
      guard isFirst || selection.selectedCount == 0 && position < Self.mostExamples else { continue }
      let reason = try Reasoner(compiler: inner, frame: frame).reason(predicate)
      let failures = isFirst ? -1 : reason.leaves.count { $0.answer != true }
      guard failures < fewest else { continue }
      fewest = failures
      let entry = ElementReason(position: position + 1, object: element.value.objectID, value: element.value)
      selection.example = (entry, reason)
    }
    return selection
  }
}

extension Value {
  fileprivate var objectID: ObjectID? { if case .object(let id) = self { id } else { nil } }

  /// The distance between two numbers or dates; infinite for other values.
  fileprivate func distance(to other: Value) -> Double {
    func number(_ value: Value) -> Double? {
      if case .date(let date) = value { date.seconds } else { value.doubleValue }
    }
    guard let one = number(self), let two = number(other), !(one - two).isNaN else { return .infinity }
    return abs(one - two)
  }
}
