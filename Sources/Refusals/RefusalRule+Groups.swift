internal import Modeling
internal import Queries

// Dictionaries and groups.
extension RefusalRule {
  static let groups = [
    pendingDictionaries, groupingBySelf, uncoveredColumn, countOfFamily, manyToManyCount,
  ]

  private static let pendingDictionaries = RefusalRule(
    id: "dictionaries-and-pending-changes", severity: .wrong, stores: [.sqlite],
    summary: "Dictionaries are read from the store: they lack unsaved changes, even if the request includes them.",
    advice: "save first, or set includesPendingChanges = false to say that it is known"
  ) { subject in
    let request = subject.request
    return subject.request(
      "resultType dictionaries", where: request.resultType == .dictionaries && request.includesPendingChanges)
  }

  private static let groupingBySelf = RefusalRule(
    id: "group-by-self", severity: .refused, stores: [.sqlite],
    summary: "Rows are grouped by the object itself.",
    appleText: "Invalid keypath expression",
    advice: "group by an attribute that identifies it"
  ) { subject in
    subject.request.propertiesToGroupBy.filter { $0 == .object || $0.paths.contains { $0.text.lowercased() == "self" } }
      .flatMap {
        subject.request("propertiesToGroupBy \($0)", where: true, at: $0.origin)
      }
  }

  private static let uncoveredColumn = RefusalRule(
    id: "column-outside-of-group", severity: .refused, stores: [.sqlite],
    summary: "A column is neither an aggregate nor in propertiesToGroupBy.",
    advice: "add it to propertiesToGroupBy, or take its min or max"
  ) { subject in
    let request = subject.request
    guard !request.propertiesToGroupBy.isEmpty else { return [] }
    let grouped = Set(request.propertiesToGroupBy.map(\.description))
    return request.propertiesToFetch.flatMap { column in
      let isCovered =
        column.expression.isAggregate || grouped.contains(column.expression.description)
        || column.expression.paths.allSatisfy { grouped.contains($0.text) }
      return subject.request("propertiesToFetch \(column.name)", where: !isCovered, at: column.expression.origin)
    }
  }

  private static let countOfFamily = RefusalRule(
    id: "count-of-to-one-with-subentities", severity: .refused, stores: [.sqlite],
    summary: "A to-one relationship to an entity with subentities is counted: it has two columns.",
    advice: "count the object itself: count, which is expressionForEvaluatedObject"
  ) { subject in
    aggregated(subject) { path in path.attribute == nil && !path.isToMany && !path.end.subentities.isEmpty }
  }

  private static let manyToManyCount = RefusalRule(
    id: "group-count-of-many-to-many", severity: .refused, stores: [.sqlite],
    summary: "Members of a many-to-many relationship are counted by groups, which no public API can.",
    advice: "fetch the objects with @count of the relationship and add up"
  ) { subject in
    guard !subject.request.propertiesToGroupBy.isEmpty else { return [] }
    return aggregated(subject) { path in
      path.hops.contains { hop in
        guard hop.isToMany, let inverse = hop.owner.inverse(at: hop.index) else { return false }
        return hop.destination.properties[inverse].relationship?.isToMany == true
      }
    }
  }

  /// The columns that aggregate such a path.
  private static func aggregated(
    _ subject: RefusalSubject, where isBroken: (ResolvedPath) -> Bool
  ) -> [RefusalPlace] {
    let request = subject.request
    return request.propertiesToFetch.flatMap { column -> [RefusalPlace] in
      let operands: [Expression] =
        switch column.expression {
        case .function(_, let arguments, _): arguments
        case .collection(_, let source, _): [source]
        default: []
        }
      let isBroken = operands.contains { operand in
        RefusalScope(entity: request.entity).resolve(operand).map(isBroken) ?? false
      }
      return subject.request("propertiesToFetch \(column.name)", where: isBroken, at: column.expression.origin)
    }
  }
}
