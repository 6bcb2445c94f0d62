internal import Modeling

/// Searches for the fewest changes that make a predicate true for an object.
///
/// Values are always tested: a value is proposed for a clause only if the clause then has the wanted result, and a
/// remedy of values alone only if the whole predicate is then true.
struct RemedySearch {
  /// A clause that needs another result.
  struct Step {
    var reason: Reason
    var wanted: Bool
    var attribute: Int?
  }

  let subject: any PredicateSubject
  let root: Reason
  private let compiler: PredicateCompiler
  private var candidates: [Int: [Value]] = [:]

  init(subject: any PredicateSubject, semantics: EvaluationSemantics, root: Reason) {
    self.subject = subject
    self.root = root
    compiler = PredicateCompiler(entity: subject.entity, semantics: semantics)
  }

  mutating func remedy() throws -> Remedy? {
    guard root.answer != true else { return Remedy(changes: [], isProven: true) }
    for leaf in root.leaves {
      guard let attribute = attribute(of: leaf), candidates[attribute] == nil else { continue }
      candidates[attribute] = try RemedyCandidates(attribute: subject.entity.properties[attribute].attribute)
        .values(root.clause, current: subject.attribute(at: attribute))
    }
    if let steps = try plan(root, wanted: true), let planned = try carryOut(steps) { return planned }
    return try tryTogether()
  }

  // MARK: Clauses to mend

  /// Returns the clauses to change for a result; nil if that is not possible.
  private func plan(_ reason: Reason, wanted: Bool) throws -> [Step]? {
    if reason.answer == wanted { return [] }
    switch reason.clause {
    case .constant: return nil
    case .not: return try reason.clauses.first.flatMap { try plan($0, wanted: !wanted) }
    case .and: return try wanted ? all(reason.clauses, wanted) : cheapest(reason.clauses, wanted)
    case .or: return try wanted ? cheapest(reason.clauses, wanted) : all(reason.clauses, wanted)
    case .comparison, .expression: return try step(reason, wanted)
    }
  }

  private func all(_ clauses: [Reason], _ wanted: Bool) throws -> [Step]? {
    var steps: [Step] = []
    for clause in clauses {
      guard let more = try plan(clause, wanted: wanted) else { return nil }
      steps += more
    }
    return steps
  }

  private func cheapest(_ clauses: [Reason], _ wanted: Bool) throws -> [Step]? {
    // Of two equally short plans, the one with known values is chosen.
    try clauses.compactMap { try plan($0, wanted: wanted) }.min {
      ($0.count, $0.count { $0.attribute == nil }) < ($1.count, $1.count { $0.attribute == nil })
    }
  }

  private func step(_ reason: Reason, _ wanted: Bool) throws -> [Step]? {
    // An object cannot change its entity.
    guard !reason.clause.paths.isEmpty, !reason.operands.contains(where: { $0.miscast != nil }) else { return nil }
    let step = Step(reason: reason, wanted: wanted, attribute: attribute(of: reason))
    guard let attribute = step.attribute else { return [step] }
    return try value(of: attribute, for: [step]) == nil ? nil : [step]
  }

  /// The attribute of the object itself that alone decides a clause, if it can be set.
  private func attribute(of reason: Reason) -> Int? {
    let paths = reason.clause.paths
    guard paths.count == 1, let name = paths[0].onlyName, let index = subject.entity.index(of: name),
      subject.entity.properties[index].attribute?.isWritable == true
    else { return nil }
    return index
  }

  // MARK: Values

  /// Returns a value that gives every clause its wanted result.
  private func value(of attribute: Int, for steps: [Step]) throws -> Value? {
    var compiler = compiler
    let tests = try steps.map { (condition: try compiler.condition($0.reason.clause), wanted: $0.wanted) }
    return try candidates[attribute]?.first { value in
      let frame = Frame(subject: ChangedSubject(original: subject, values: [attribute: value]))
      return try tests.allSatisfy { try $0.condition(frame) == $0.wanted }
    }
  }

  /// Whether the predicate is true with other values.
  private func isTrue(with values: [Int: Value]) throws -> Bool {
    var compiler = compiler
    return try compiler.condition(root.clause)(Frame(subject: ChangedSubject(original: subject, values: values)))
      == true
  }

  /// The steps with their values; nil if the values do not have the wanted effect.
  private func carryOut(_ steps: [Step]) throws -> Remedy? {
    var values: [Int: Value] = [:]
    for attribute in Set(steps.compactMap(\.attribute)) {
      guard let value = try value(of: attribute, for: steps.filter { $0.attribute == attribute }) else { return nil }
      values[attribute] = value
    }
    let isProven = steps.allSatisfy { $0.attribute != nil }
    if isProven, try !isTrue(with: values) { return nil }
    let changes = try steps.map { step in
      guard let index = step.attribute else { return Remedy.Change(reason: step.reason, wanted: step.wanted) }
      return try change(index, to: values[index], Remedy.Change(reason: step.reason, wanted: step.wanted))
    }
    return Remedy(changes: changes, isProven: isProven)
  }

  private func change(_ index: Int, to value: Value?, _ change: Remedy.Change) throws -> Remedy.Change {
    var change = change
    change.attribute = subject.entity.properties[index].attribute
    change.current = try subject.attribute(at: index)
    change.value = value
    return change
  }

  // MARK: Clauses that pull against one another

  private static let mostTries = 5000
  private static let mostAttributes = 3

  /// Tests values of one attribute, then of two and three together.
  private func tryTogether() throws -> Remedy? {
    var compiler = compiler
    let condition = try compiler.condition(root.clause)
    var tries = 0
    var sets: [[Int: Value]] = [[:]]
    for _ in 0..<Self.mostAttributes {
      var longer: [[Int: Value]] = []
      for values in sets {
        for (attribute, choices) in candidates.sorted(by: { $0.key < $1.key })
        where attribute > values.keys.max() ?? -1 {
          for value in choices {
            tries += 1
            guard tries <= Self.mostTries else { return nil }
            let tried = values.merging([attribute: value]) { $1 }
            if try condition(Frame(subject: ChangedSubject(original: subject, values: tried))) == true {
              return try remedy(of: tried)
            }
            longer.append(tried)
          }
        }
      }
      sets = longer
    }
    return nil
  }

  private func remedy(of values: [Int: Value]) throws -> Remedy {
    Remedy(
      changes: try values.sorted { $0.key < $1.key }.map { try change($0.key, to: $0.value, Remedy.Change()) },
      isProven: true)
  }
}
