internal import Modeling
internal import Queries

// What the store has no column for, or cannot look into.
extension RefusalRule {
  static let content = [
    transientAttribute, transformableContent, compositeOutsideSQLite, elementOfCollection, listOperator,
  ]

  private static let transientAttribute = RefusalRule(
    id: "transient-in-fetch", severity: .refused, stores: [.sqlite, .swiftData],
    summary: "A transient or computed property is fetched by; SwiftData compiles it and crashes.",
    advice: "fetch without it and filter what was fetched in memory, or keep the value in an attribute"
  ) { subject in
    subject.expressions { expression, scope in scope.resolve(expression)?.finalAttribute?.isTransient == true }
  }

  private static let transformableContent = RefusalRule(
    id: "transformable-content", severity: .refused, stores: [.sqlite, .swiftData],
    summary: "The content of a transformable or `.codable` attribute is opaque: it is neither filtered nor sorted by.",
    advice: "keep what is asked for in an attribute of its own, or in a composite attribute"
  ) { subject in
    let inPredicate = subject.comparisons { comparison, scope in
      let isAboutNil = comparison.right.constantValue == .null
      return [comparison.left, comparison.right].contains { side in
        guard let path = scope.resolve(side), path.finalAttribute?.type == .transformable else { return false }
        return !path.elements.isEmpty || !isAboutNil
      }
    }
    let scope = RefusalScope(entity: subject.request.entity)
    let sorted = subject.request.sortDescriptors.filter {
      scope.resolve($0.expression)?.finalAttribute?.type == .transformable
    }
    return inPredicate
      + sorted.flatMap { subject.request("sort by \($0.expression)", where: true, at: $0.expression.origin) }
  }

  private static let compositeOutsideSQLite = RefusalRule(
    id: "composite-outside-sqlite", severity: .refused, stores: [.memory],
    summary: "Composite attributes are for SQLite stores only.",
    advice: "use a SQLite store, at /dev/null for one in memory"
  ) { subject in
    subject.expressions { expression, scope in scope.resolve(expression)?.finalAttribute?.type == .composite }
  }

  private static let elementOfCollection = RefusalRule(
    id: "element-of-collection", severity: .refused, stores: [.sqlite],
    summary: "An element of a collection is taken by its place: [FIRST], [LAST], [SIZE] or a number.",
    advice: "fetch the elements with a sort descriptor and a limit; [SIZE] is @count"
  ) { subject in
    subject.expressions { expression, _ in if case .subscripted = expression { true } else { false } }
  } mend: { predicate, scope in
    guard case .comparison(var comparison) = predicate else { return nil }
    let (left, right) = (comparison.left.sizeAsCount(scope), comparison.right.sizeAsCount(scope))
    guard left != nil || right != nil else { return nil }
    comparison.left = left ?? comparison.left
    comparison.right = right ?? comparison.right
    return .comparison(comparison)
  }

  private static let listOperator = RefusalRule(
    id: "list-operator", severity: .refused, stores: [.sqlite],
    summary: "@unionOfObjects and @distinctUnionOfObjects have no SQL.",
    advice: "use ANY, or fetch the objects of the other entity"
  ) { subject in
    subject.expressions { expression, _ in
      guard case .collection(let function, _, _) = expression else { return false }
      return function == .unionOfObjects || function == .distinctUnionOfObjects
    }
  }
}

extension Expression {
  /// `reports[SIZE]` as `reports.@count`.
  fileprivate func sizeAsCount(_ scope: RefusalScope) -> Expression? {
    guard case .subscripted(let source, .size) = self, scope.isToMany(source) else { return nil }
    return .collection(.count, of: source, key: nil)
  }
}
