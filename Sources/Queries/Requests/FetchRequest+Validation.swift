internal import Modeling

extension FetchRequest {
  /// Checks all names of the request, and that its parts fit together.
  ///
  /// - Parameter purpose: `.definition` when the request is created, `.fetch` before it runs.
  /// - Throws: all errors.
  public func validate(for purpose: CheckPurpose = .definition) throws(PredicateError) {
    var validator = RequestValidator(request: self, purpose: purpose)
    try validator.validate()
  }

  /// The having predicate with the names of columns replaced by their expressions: `n > 5` or `$n > 5` becomes
  /// `count(SELF) > 5` if a column `n` counts.
  public var resolvedHavingPredicate: Predicate? {
    guard let havingPredicate, !isHavingResolved else { return havingPredicate }
    let columns = Dictionary(
      propertiesToFetch.map { ($0.name, $0.expression) }, uniquingKeysWith: { first, _ in first })
    return havingPredicate.replacing { (part, bound) -> Expression? in
      switch part {
      case .path(let path): path.onlyName.flatMap { columns[$0] }
      case .variable(let name, _) where !bound.contains(name): columns[name]
      default: nil
      }
    }
  }

  /// The names of a dictionary's values; for a count `count`.
  public var dictionaryColumns: [String] {
    if resultType == .count { return ["count"] }
    if !propertiesToFetch.isEmpty { return propertiesToFetch.map(\.name) }
    return entity.properties.filter { $0.attribute.map { !$0.isTransient } ?? false }.map(\.name)
  }

  /// Whether columns are computed over groups of rows, or over all of them.
  public var isAggregated: Bool {
    !propertiesToGroupBy.isEmpty || propertiesToFetch.contains { $0.expression.isAggregate }
  }
}

extension Expression {
  /// Whether a function over the rows of a group is part of the expression.
  public var isAggregate: Bool { aggregateCall != nil || children.contains(where: \.isAggregate) }

  /// The function and its argument where the expression itself is a function over the rows of a group; the argument may lead
  /// to many objects of each row. Nil for one over a list or a collection of the object itself, which is no aggregate of rows.
  public var aggregateCall: (function: ExpressionFunction, argument: Expression)? {
    guard case .function(let function, let arguments, _) = self, function.isAggregate, arguments.count == 1 else {
      return nil
    }
    switch arguments[0] {
    case .collection(let gathered, _, _) where gathered.isUnion: return nil
    case .subquery, .aggregate, .constant(.list), .argument(.list, _): return nil
    default: return (function, arguments[0])
    }
  }
}

extension FetchedColumn {
  /// Parses a column such as `max(magnitude)`, `year(time)` or `count`, which counts rows.
  public init(_ name: String, parsing text: String) throws(PredicateError) {
    if text == ExpressionFunction.count.rawValue {
      self.init(name, .call(.count, .object))
    } else {
      self.init(name, try Expression.parse(text))
    }
  }
}

/// Collects the errors of a request.
private struct RequestValidator {
  let request: FetchRequest
  let purpose: CheckPurpose
  private var issues: [PredicateError.Issue] = []

  init(request: FetchRequest, purpose: CheckPurpose) {
    self.request = request
    self.purpose = purpose
  }

  mutating func validate() throws(PredicateError) {
    checkPredicateAndOrder()
    checkCounts()
    checkColumns()
    checkHaving()
    checkPrefetching()
    checkSections()
    // A group key is also a column, and a key of the groups' order.
    guard issues.isEmpty else { throw PredicateError(issues: issues.withoutRepetition) }
  }

  private mutating func collect(_ check: (FetchRequest) throws(PredicateError) -> Void) {
    do { try check(request) } catch { issues += error.issues }
  }

  private mutating func report(_ fact: PredicateError.Fact, at origin: Origin? = nil) {
    issues.append(PredicateError.Issue(fact, at: origin))
  }

  private mutating func checkPredicateAndOrder() {
    collect { [purpose] request throws(PredicateError) in try request.predicate?.check(in: request.entity, for: purpose)
    }
    let columns = Set(request.propertiesToFetch.map(\.name))
    for descriptor in request.sortDescriptors {
      // Groups are sorted by their columns.
      if request.isAggregated {
        if case .path(let path) = descriptor.expression, columns.contains(path.text) { continue }
        collect { [purpose] request throws(PredicateError) in
          try descriptor.expression.check(in: request.entity, for: purpose, overGroup: true)
        }
      } else {
        collect { [purpose] request throws(PredicateError) in try descriptor.check(in: request.entity, for: purpose) }
      }
    }
  }

  private mutating func checkCounts() {
    let counts = [
      ("fetchLimit", request.fetchLimit ?? 0), ("fetchOffset", request.fetchOffset),
      ("fetchBatchSize", request.fetchBatchSize),
    ]
    for (property, count) in counts where count < 0 { report(.negativeCount(property: property, count)) }
  }

  private mutating func checkColumns() {
    var names: Set<String> = []
    for column in request.propertiesToFetch where !names.insert(column.name).inserted {
      report(.sameColumns(column.name))
    }
    for expression in request.propertiesToGroupBy { checkGroup(expression) }
    for column in request.propertiesToFetch { checkSingle(column.expression) }
    guard request.isAggregated else { return }
    if request.resultType != .dictionaries && request.resultType != .count {
      report(.groupedResultType(request.resultType))
    }
    let grouped = Set(request.propertiesToGroupBy.map(\.description))
    for column in request.propertiesToFetch {
      for path in column.expression.paths(outsideAggregatesAnd: grouped) {
        report(.outsideGroup(path.text), at: path.origin)
      }
    }
  }

  /// Checks a group key: an expression of each row.
  private mutating func checkGroup(_ expression: Expression) {
    if expression.isAggregate {
      report(.aggregateAsGroup(expression.description), at: expression.origin)
    } else {
      checkSingle(expression)
    }
  }

  /// Checks an expression with one value for each row.
  private mutating func checkSingle(_ expression: Expression) {
    collect { [purpose] request throws(PredicateError) in
      let type = try expression.check(in: request.entity, for: purpose, overGroup: true)
      if case .collection = type {
        throw PredicateError(
          .toManyWithoutQuantifier(expression.pathText ?? expression.description), at: expression.origin)
      }
    }
  }

  private mutating func checkHaving() {
    guard let having = request.inlined.resolvedHavingPredicate else { return }
    if request.propertiesToGroupBy.isEmpty { report(.havingWithoutGroups) }
    var checker = Checker(entity: request.entity, purpose: purpose, overGroup: true)
    checker.check(having)
    issues += checker.issues
    let grouped = Set(request.propertiesToGroupBy.map(\.description))
    for path in having.paths(outsideAggregatesAnd: grouped) { report(.outsideGroup(path.text), at: path.origin) }
  }

  /// The section identifier must be a single ordered value, and the first key of the sort order.
  private mutating func checkSections() {
    checkSectionValues()
    if request.sectionFunction != nil, request.resultType != .objects {
      report(.sectionedResultType(request.resultType))
    }
    guard let section = request.sectionIdentifier else { return }
    let known = issues.count
    collect { [purpose] request throws(PredicateError) in
      try SortDescriptor(section).check(in: request.entity, for: purpose)
    }
    guard issues.count == known else { return }
    if request.resultType != .objects {
      report(.sectionedResultType(request.resultType), at: section.origin)
    }
    if let contradiction = request.sectionContradiction { report(contradiction, at: section.origin) }
  }

  /// Values of sections are aggregates over the objects of each.
  private mutating func checkSectionValues() {
    if request.sectionValues.isEmpty { return }
    guard var groups = request.sectionGroups else { return report(.sectionValuesWithoutSections) }
    let known = issues.count
    for column in request.sectionValues where !column.expression.isAggregate {
      report(.sectionValueOfEachObject(column.expression.description), at: column.expression.origin)
    }
    guard issues.count == known else { return }
    // Mistakes of the rest are reported once.
    groups.predicate = nil
    collect { [purpose, groups] _ throws(PredicateError) in try groups.validate(for: purpose) }
  }

  private mutating func checkPrefetching() {
    for path in request.relationshipKeyPathsForPrefetching {
      collect { request throws(PredicateError) in
        let resolved = try path.resolve(in: request.entity)
        guard let attribute = resolved.finalAttribute else { return }
        throw PredicateError(
          .notARelationship(path.text, entity: resolved.end.name, type: attribute.type), at: path.origin)
      }
    }
  }
}

extension Expression {
  /// The paths with a value for each row rather than for the group; `grouped` are the texts of the group keys.
  fileprivate func paths(outsideAggregatesAnd grouped: Set<String>) -> [PropertyPath] {
    if !grouped.isEmpty, grouped.contains(description) { return [] }
    switch self {
    case .path(let path): return [path]
    case _ where aggregateCall != nil: return []
    default:
      return children.flatMap { $0.paths(outsideAggregatesAnd: grouped) }
        + (condition?.paths(outsideAggregatesAnd: grouped) ?? [])
    }
  }
}

extension Predicate {
  fileprivate func paths(outsideAggregatesAnd grouped: Set<String>) -> [PropertyPath] {
    switch self {
    case .constant: []
    case .and(let terms), .or(let terms): terms.flatMap { $0.paths(outsideAggregatesAnd: grouped) }
    case .not(let inner): inner.paths(outsideAggregatesAnd: grouped)
    case .comparison(let comparison):
      comparison.left.paths(outsideAggregatesAnd: grouped) + comparison.right.paths(outsideAggregatesAnd: grouped)
    case .expression(let expression): expression.paths(outsideAggregatesAnd: grouped)
    }
  }
}
