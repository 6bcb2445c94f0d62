internal import Modeling
internal import Queries
internal import SwiftParsing

// `if`, `guard` and `? :` around predicates and requests.
extension SourceReader {
  // MARK: Values

  /// `query.isEmpty ? nil : NSPredicate(...)`; nil where neither is a predicate.
  mutating func choice(
    _ test: SwiftSyntax, _ first: SwiftSyntax, _ second: SwiftSyntax, _ entity: Entity?, _ type: TypeSyntax?
  ) -> SourcePredicate? {
    let (one, other) = (branch(first, entity, type), branch(second, entity, type))
    return choice([.value(test)], one, other, (first, second))
  }

  /// `if query.isEmpty { nil } else { NSPredicate(...) }` as a value.
  mutating func choice(
    _ conditional: SwiftConditional, _ entity: Entity?, _ type: TypeSyntax?
  ) -> SourcePredicate? {
    guard let otherwise = conditional.otherwise, let first = conditional.then.onlyValue,
      let second = otherwise.onlyValue
    else { return nil }
    let (one, other) = (branch(first, entity, type), branch(second, entity, type))
    return choice(conditional.conditions, one, other, (first, second))
  }

  /// What one of two values is.
  private enum Branch {
    case predicate(SourcePredicate)
    case nothing
    case unknown

    var predicate: SourcePredicate? { if case .predicate(let found) = self { found } else { nil } }
    var isUnknown: Bool { if case .unknown = self { true } else { false } }
  }

  private mutating func branch(_ syntax: SwiftSyntax, _ entity: Entity?, _ type: TypeSyntax?) -> Branch {
    if isNothing(syntax) { return .nothing }
    return predicate(from: syntax, entity: entity, type: type).map { .predicate($0) } ?? .unknown
  }

  private mutating func choice(
    _ conditions: [SwiftConditional.Condition], _ first: Branch, _ second: Branch, _ sources: (SwiftSyntax, SwiftSyntax)
  ) -> SourcePredicate? {
    guard first.predicate != nil || second.predicate != nil else { return nil }
    if first.isUnknown { return notAConstant(sources.0) }
    if second.isUnknown { return notAConstant(sources.1) }
    guard let condition = condition(conditions, for: [first.predicate, second.predicate].compactMap(\.self)) else {
      return nil
    }
    return chosen(condition, first.predicate, second.predicate)
  }

  /// Whether a value is nil, or a name for it.
  func isNothing(_ syntax: SwiftSyntax) -> Bool {
    switch syntax.unwrapped.kind {
    case .literal(.null): true
    case .name(let name): if case .value(.null)? = constants[name] { true } else { false }
    default: false
    }
  }

  /// The one predicate where a condition holds, and else the other; without one, all objects.
  func chosen(
    _ condition: Predicate, _ first: SourcePredicate?, _ second: SourcePredicate?
  ) -> SourcePredicate {
    func isAll(_ found: SourcePredicate?) -> Bool { found.map { $0.predicate == .constant(true) } ?? true }
    let predicate: Predicate
    switch (first, second) {
    case _ where isAll(first) && isAll(second): predicate = .constant(true)
    case (_, let second?) where isAll(first): predicate = condition | second.predicate
    case (let first?, _) where isAll(second): predicate = condition.opposite | first.predicate
    case (let first?, let second?) where second.predicate == .constant(false): predicate = condition & first.predicate
    case (let first?, let second?) where first.predicate == .constant(false):
      predicate = condition.opposite & second.predicate
    case (let first?, let second?): predicate = (condition & first.predicate) | (condition.opposite & second.predicate)
    default: predicate = .constant(true)
    }
    var whole = SourcePredicate(predicate: predicate, entity: first?.entity ?? second?.entity)
    whole.weight = 1 + (first?.weight ?? 0) + (second?.weight ?? 0)
    whole.depth = 1 + max(first?.depth ?? 0, second?.depth ?? 0)
    return whole
  }

  /// A predicate after earlier conditional returns.
  mutating func afterEarlierReturns(_ last: SourcePredicate) -> SourcePredicate {
    earlier.reversed().reduce(last) { chosen($1.condition, $1.predicate, $0) }
  }

  // MARK: Conditions

  /// Conditions of the surrounding program, in which an unknown value is a variable; nil if one cannot be expressed.
  mutating func condition(
    _ conditions: [SwiftConditional.Condition], for predicates: [SourcePredicate]
  ) -> Predicate? {
    let count = issues.found.count
    let place = 0..<0
    let closure = ClosureSyntax(parameters: nil, statements: [], range: place)
    var lowering = PredicateLowering(closure, entity: nil, constants: constants, issues: issues)
    lowering.surroundings = PredicateLowering.Surroundings(names: outside, lists: lists(in: predicates))
    let tests = conditions.map { lowering.test($0) }
    issues = lowering.issues
    outside = lowering.surroundings?.names ?? outside
    return issues.found.count == count ? .all(tests) : nil
  }

  /// The variables that are lists: what values are looked for in.
  private func lists(in predicates: [SourcePredicate]) -> Set<String> {
    var lists: Set<String> = []
    for found in predicates {
      for comparison in found.predicate.comparisons where comparison.comparator == .in {
        if case .variable(let name, _) = comparison.right { lists.insert(name) }
      }
    }
    for (name, type) in types where ["Array", "Set", "Dictionary"].contains(type.name) { lists.insert(name) }
    return lists
  }

  // MARK: Statements

  /// Reads both branches, and joins their predicates and requests.
  mutating func read(_ conditional: SwiftConditional, returning type: TypeSyntax?, at place: Range<Int>) {
    for condition in conditional.conditions {
      if case .value(let value) = condition { refuseChanges(in: value) }
    }
    var (one, other) = (self, self)
    one.bind(conditional.conditions)
    one.read(conditional.then.statements, returning: type)
    other.issues = one.issues
    other.outside = one.outside
    if let otherwise = conditional.otherwise { other.read(otherwise.statements, returning: type) }
    issues = other.issues
    outside = other.outside
    join(one, other, conditional, at: place)
  }

  /// The names that conditions bind stand for their values.
  private mutating func bind(_ conditions: [SwiftConditional.Condition]) {
    for case .binding(let name, let value) in conditions {
      switch value.kind {
      case .name(let other) where other == name: continue
      default: constants[name] = .variable(outsideName(of: value))
      }
    }
  }

  /// The name of the variable for a value that is not known.
  mutating func outsideName(of syntax: SwiftSyntax) -> String {
    switch syntax.unwrapped.kind {
    case .forced(let base), .cast(let base, _, _): return outsideName(of: base)
    case .name(let name):
      if case .variable(let other)? = constants[name] { return other }
      return name.hasPrefix("$") || name == "self" ? outside.name(for: syntax, name) : name
    case .member(let base?, let name):
      if case .name("self") = base.kind { return name }
      return outside.name(for: syntax, source(syntax.range))
    default: return outside.name(for: syntax, source(syntax.range))
    }
  }

  private mutating func join(
    _ one: SourceReader, _ other: SourceReader, _ conditional: SwiftConditional, at place: Range<Int>
  ) {
    var joint = BranchJoint(place: place)
    joint.ask = { reader, predicates in reader.condition(conditional.conditions, for: predicates) }
    // A branch that returns is done: its value is remembered, and the rest belongs to the other branch.
    if one.hasEnded != other.hasEnded {
      let (ended, going) = one.hasEnded ? (one, other) : (other, one)
      let (earlier, issues) = (self.earlier, self.issues)
      let (found, isRequest) = (ended.returned, ended.returnsRequest)
      take(going)
      self.issues = issues
      self.earlier = earlier
      if isRequest { self.issues.report(.dependsOnCondition("the request"), at: place) }
      guard let found, let condition = joint.ask(&self, [found]) else { return }
      let whole = ended.afterEarlierReturns(found, from: earlier.count)
      self.earlier.append((one.hasEnded ? condition : condition.opposite, whole))
      return
    }
    hasEnded = one.hasEnded && other.hasEnded
    joint.join(one, other, into: &self)
  }

  /// Takes everything of a branch.
  private mutating func take(_ branch: SourceReader) {
    let outer = (issues, outside)
    self = branch
    (issues, outside) = outer
  }

  /// A predicate after what its branch returned before it, from the return of a number on.
  private func afterEarlierReturns(_ last: SourcePredicate, from first: Int) -> SourcePredicate {
    earlier.dropFirst(first).reversed().reduce(last) { chosen($1.condition, $1.predicate, $0) }
  }
}

extension ClosureSyntax {
  /// The value of braces that hold nothing else.
  fileprivate var onlyValue: SwiftSyntax? {
    guard statements.count == 1 else { return nil }
    switch statements[0].kind {
    case .value(let value), .returned(let value): return value
    default: return nil
    }
  }
}

extension Predicate {
  /// The comparisons in it, without those within SUBQUERYs.
  fileprivate var comparisons: [Comparison] {
    switch self {
    case .constant, .expression: []
    case .comparison(let comparison): [comparison]
    case .and(let terms), .or(let terms): terms.flatMap(\.comparisons)
    case .not(let inner): inner.comparisons
    }
  }
}

extension Predicate {
  /// The opposite, with NOT at the comparisons; where something is neither, so is its opposite.
  var opposite: Predicate {
    switch self {
    case .constant(let flag): .constant(!flag)
    case .not(let inner): inner
    case .and(let terms): terms.dropFirst().reduce(terms.first?.opposite ?? .constant(false)) { $0 | $1.opposite }
    case .or(let terms): terms.dropFirst().reduce(terms.first?.opposite ?? .constant(true)) { $0 & $1.opposite }
    case .comparison, .expression: negated
    }
  }
}
