internal import Modeling
internal import Queries
internal import Stores

/// The parts of a grouped request, taken apart: its keys, the arguments and terms of its aggregates, and its expressions over them.
struct GroupDraft {
  /// The group keys.
  let keys: [Queries.Expression]
  /// How keys compare with one another.
  let keyComponents: [SortKeyEncoder.Component]
  /// The expressions of rows that aggregates are over, each once.
  let arguments: [(expression: Queries.Expression, argument: GroupArgument)]
  /// The terms, each once.
  let terms: [GroupTerm]
  /// The entity of groups: its attributes are the keys, then the terms.
  let entity: Entity
  /// The columns, as expressions of the group's attributes.
  let columns: [Queries.Expression]
  /// Which groups are shown, by the group's attributes.
  let having: Queries.Predicate?
  /// In which order, by the group's attributes.
  let order: [(expression: Queries.Expression, component: SortKeyEncoder.Component)]

  private let request: FetchRequest

  /// Takes a request apart whose arguments are constants.
  ///
  /// - Throws: GroupPlan.Obstacle for a request that cannot be maintained; PredicateError.
  init(_ request: FetchRequest, _ store: any ObjectStore) throws {
    let collations = request.keyCollations(store.layout(of:))
    let request = request.choosingTexts(of: Set(collations.keys))
    self.request = request
    let shown = request.columnExpressions
    let keys = request.isAggregated || request.havingPredicate != nil ? request.propertiesToGroupBy : shown
    if request.returnsDistinctResults, keys.contains(where: { !shown.contains($0) }) {
      throw GroupPlan.Obstacle(reason: .distinctGroups)
    }
    var rewriter = GroupRewriter(request)
    keyComponents = try keys.map { key in
      let type = try rewriter.add(key: key)
      return SortKeyEncoder.Component(isAscending: true, kind: try Self.kind(of: key, type, collations))
    }
    columns = try shown.map { try rewriter.grouped($0) }
    having = try request.resolvedHavingPredicate.map { try rewriter.grouped($0) }
    order = try request.sortDescriptors.compactMap { descriptor in
      let expression = request.columnExpression(of: descriptor) ?? descriptor.expression
      // One group has no order.
      if keys.isEmpty { return nil }
      let type = try expression.check(in: request.entity, for: .fetch, overGroup: true)
      let kind: SortKeyEncoder.Kind = type.isDecimal ? .decimal : .init(descriptor.comparator)
      let component = SortKeyEncoder.Component(isAscending: descriptor.isAscending, kind: kind)
      return (try rewriter.grouped(expression), component)
    }
    self.keys = keys
    (arguments, terms) = (rewriter.arguments, rewriter.terms)
    let description = EntityDescription("Group", properties: rewriter.attributes.map(Property.attribute))
    guard let entity = try Model([description]).entities.first else { throw GroupPlan.Obstacle(reason: .expression) }
    self.entity = entity
  }

  /// How the values of a key compare.
  private static func kind(
    of key: Queries.Expression, _ type: ExpressionType, _ collations: [Queries.Expression: String]
  ) throws -> SortKeyEncoder.Kind {
    if type.isDecimal { return .decimal }
    guard let name = collations[key] else { return .plain }
    guard let collation = TextCollation(name) else {
      throw GroupPlan.Obstacle(reason: .collation("\(key)", name))
    }
    return .text(collation.sortingBytes)
  }

  /// The request for the rows, ordered by their keys and arguments.
  var rowRequest: FetchRequest {
    var rows = FetchRequest(request.entity)
    rows.predicate = request.predicate
    rows.includesSubentities = request.includesSubentities
    rows.includesPendingChanges = request.includesPendingChanges
    rows.sortDescriptors = (keys + arguments.map(\.expression)).map { SortDescriptor($0) }
    return rows
  }

  /// The value that an expression of the group's attributes is.
  ///
  /// - Throws: GroupPlan.Obstacle where it cannot be evaluated in memory.
  func part(_ expression: Queries.Expression) throws -> GroupPart {
    if case .path(let path) = expression, let index = entity.index(of: path.text) {
      return index < keys.count ? .key(index) : .term(terms[index - keys.count])
    }
    do { return .computed(try CompiledExpression(expression, entity: entity)) } catch {
      throw GroupPlan.Obstacle(reason: .expression)
    }
  }
}

/// Puts attributes of the group into the places of keys and aggregates.
private struct GroupRewriter {
  private(set) var arguments: [(expression: Queries.Expression, argument: GroupArgument)] = []
  private(set) var terms: [GroupTerm] = []
  private(set) var attributes: [Attribute] = []
  private var keys: [Queries.Expression] = []
  private let request: FetchRequest

  init(_ request: FetchRequest) { self.request = request }

  /// Adds a key; returns its type.
  mutating func add(key: Queries.Expression) throws -> ExpressionType {
    let type = try type(of: key)
    attributes.append(Attribute(Self.keyName(keys.count), type.attributeType ?? .any))
    keys.append(key)
    return type
  }

  mutating func grouped(_ expression: Queries.Expression) throws -> Queries.Expression {
    // Aggregates first, whose arguments may look like keys.
    let withTerms = try expression.replacing { (part, _) in try term(for: part) }
    return withTerms.replacing { (part, _) in key(for: part) }
  }

  mutating func grouped(_ predicate: Queries.Predicate) throws -> Queries.Predicate {
    let withTerms = try predicate.replacing { (part, _) in try term(for: part) }
    return withTerms.replacing { (part, _) in key(for: part) }
  }

  private static func keyName(_ index: Int) -> String { "key_\(index)" }
  private static func termName(_ index: Int) -> String { "term_\(index)" }

  private func type(of expression: Queries.Expression) throws -> ExpressionType {
    try expression.check(in: request.entity, for: .fetch, overGroup: true)
  }

  private func key(for part: Queries.Expression) -> Queries.Expression? {
    keys.firstIndex(of: part).map { .path(PropertyPath([Self.keyName($0)])) }
  }

  /// The attribute that stands for an aggregate; nil for any other part.
  private mutating func term(for part: Queries.Expression) throws -> Queries.Expression? {
    guard let (function, argument) = part.aggregateCall else { return nil }
    let term = try term(function, argument, part)
    guard let known = terms.firstIndex(of: term) else {
      let type = try type(of: part)
      // A sum of integers may be a double.
      let isSum = if case .sum = term { !type.isDecimal } else { false }
      attributes.append(Attribute(Self.termName(terms.count), isSum ? .any : type.attributeType ?? .any))
      terms.append(term)
      return .path(PropertyPath([Self.termName(terms.count - 1)]))
    }
    return .path(PropertyPath([Self.termName(known)]))
  }

  private mutating func term(
    _ function: ExpressionFunction, _ argument: Queries.Expression, _ part: Queries.Expression
  ) throws -> GroupTerm {
    if argument == .object { return .rows }
    let type = try type(of: argument)
    var isCollection = false
    // The aggregate of the collection of each row, and then of these.
    if case .collection = type { isCollection = true }
    let row = isCollection ? part : argument
    switch function {
    case .count: return isCollection ? .sum(number(of: row) { $0.sum = .binary }) : .count(number(of: row))
    case .sum: return .sum(number(of: row) { $0.sum = type.isBinaryNumber ? .binary : .general })
    case .average where !isCollection:
      return .average(number(of: row) { $0.sum = type.isBinaryNumber ? .binary : .general })
    case .min: return .least(number(of: row) { $0.hasLeast = true })
    case .max: return .greatest(number(of: row) { $0.hasGreatest = true })
    default: throw GroupPlan.Obstacle(reason: .aggregate(function.rawValue))
    }
  }

  private mutating func number(
    of expression: Queries.Expression, _ change: (inout GroupArgument) -> Void = { _ in }
  ) -> Int {
    let index = arguments.firstIndex { $0.expression == expression } ?? arguments.count
    if index == arguments.count { arguments.append((expression, GroupArgument())) }
    change(&arguments[index].argument)
    return index
  }
}

extension FetchRequest {
  /// The values of each dictionary.
  fileprivate var columnExpressions: [Queries.Expression] {
    if !propertiesToFetch.isEmpty { return propertiesToFetch.map(\.expression) }
    return dictionaryColumns.map { .path(PropertyPath([$0])) }
  }

  /// The expression of the column that a sort descriptor names; nil where it names none.
  fileprivate func columnExpression(of descriptor: SortDescriptor) -> Queries.Expression? {
    guard case .path(let path) = descriptor.expression else { return nil }
    return propertiesToFetch.first { $0.name == path.text }?.expression
  }
}

extension ExpressionType {
  fileprivate var isDecimal: Bool { attributeType == .decimal }

  /// Whether all values are integers or doubles, those of a collection each.
  fileprivate var isBinaryNumber: Bool {
    if case .collection(let element) = self { return element.isBinaryNumber }
    switch attributeType {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: return true
    default: return false
    }
  }
}
