internal import Modeling
internal import Queries

/// Evaluates each clause of a predicate and, where the answer may be unknown, tests which key path is nil.
struct PredicateCounter {
  private let list: ClauseList
  /// The conditions evaluated for each object: the clauses, then a nil test of each key path.
  let questions: [Predicate]
  /// For each clause, the positions of its key paths in `questions`.
  private var paths: [[(question: Int, path: PropertyPath)]] = []
  private(set) var counts: PredicateCounts

  init(_ predicate: Predicate, of entity: Entity) {
    list = ClauseList(predicate)
    counts = PredicateCounts(entity, list)
    var questions = list.clauses
    var places: [PropertyPath: Int] = [:]
    for clause in list.clauses {
      paths.append(
        clause.nullablePaths(in: entity).map { path in
          let place = places[path] ?? questions.count
          if place == questions.count {
            questions.append(.comparison(Comparison(.path(path), .equal, .constant(.null))))
            places[path] = place
          }
          return (place, path)
        })
    }
    self.questions = questions
  }

  /// Counts an object; `answer` evaluates a question for it.
  mutating func add(_ id: ObjectID, _ answer: (Int) throws -> Bool?) rethrows {
    var failed: Int?
    var failures = 0
    var answers: [Bool?] = []
    answers.reserveCapacity(list.clauses.count)
    for clause in list.clauses.indices {
      let said = try answer(clause)
      answers.append(said)
      counts.clauses[clause].tally.add(said)
      if said != true {
        failed = clause
        failures += 1
      }
      if said == nil { try addReason(clause, answer) }
    }
    let whole = list.whole(answers)
    counts.whole.add(whole)
    switch whole {
    case true?: counts.matches.add(id)
    case false?: counts.misses.add(id)
    case nil: counts.neither.add(id)
    }
    if let failed, failures == 1, list.joint == .all, list.clauses.count > 1 {
      counts.clauses[failed].nearMisses.add(id)
    }
  }

  private mutating func addReason(_ clause: Int, _ answer: (Int) throws -> Bool?) rethrows {
    for (question, path) in paths[clause] where try answer(question) == true {
      if let known = counts.clauses[clause].reasons.firstIndex(where: { $0.path == path.text }) {
        counts.clauses[clause].reasons[known].count += 1
      } else {
        counts.clauses[clause].reasons.append((path.text, 1))
      }
      return
    }
  }
}

extension Predicate {
  /// Returns the key paths that can make the answer unknown by being nil, each after its own prefixes.
  fileprivate func nullablePaths(in entity: Entity) -> [PropertyPath] {
    var found: [PropertyPath] = []
    for path in paths {
      guard let resolved = try? path.resolve(in: entity), !resolved.isToMany else { continue }
      for length in 1...path.components.count {
        // A key path within an attribute has no prefixes to test.
        guard length == path.components.count || length <= resolved.hops.count else { continue }
        let part = PropertyPath(Array(path.components.prefix(length)))
        if !found.contains(part) { found.append(part) }
      }
    }
    return found
  }
}
