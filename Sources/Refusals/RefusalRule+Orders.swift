internal import Modeling
internal import Queries

// Sort descriptors and sections.
extension RefusalRule {
  static let orders = [
    sortByTransient, sortByToMany, sortByExpression, sectionWithoutOrder, sectionOrder, limitWithoutOrder,
    objectIDOrder,
  ]

  private static func keys(
    _ subject: RefusalSubject, where isBroken: (Expression, ResolvedPath?) -> Bool
  ) -> [RefusalPlace] {
    let scope = RefusalScope(entity: subject.request.entity)
    return subject.request.sortDescriptors.map(\.expression).filter { isBroken($0, scope.resolve($0)) }.flatMap {
      subject.request("sort by \($0)", where: true, at: $0.origin)
    }
  }

  private static let sortByTransient = RefusalRule(
    id: "sort-by-transient", severity: .refused, stores: [.sqlite, .swiftData],
    summary: "A sort key is transient or computed; only a section may be.",
    advice: "sort by the stored attribute that the transient one is made of"
  ) { subject in
    keys(subject) { _, path in path?.finalAttribute?.isTransient == true }
  }

  private static let sortByToMany = RefusalRule(
    id: "sort-by-to-many", severity: .refused, stores: [.sqlite, .swiftData],
    summary: "A sort key leads through a to-many relationship.",
    appleText: "to-many key not allowed here",
    advice: "keep the greatest, the first or the number of them in a derived attribute"
  ) { subject in
    keys(subject) { expression, path in
      if case .collection = expression { return true }
      return path?.isToMany == true
    }
  }

  private static let sortByExpression = RefusalRule(
    id: "sort-by-expression", severity: .refused, stores: [.sqlite, .memory, .swiftData],
    summary: "A sort key is computed: sort descriptors take key paths, and in SQLite no block that compares.",
    advice: "keep the value in a derived attribute, or sort what was fetched"
  ) { subject in
    keys(subject) { expression, path in
      if case .collection = expression { return false }
      if case .path = expression { return false }
      return path == nil
    }
  }

  private static let sectionWithoutOrder = RefusalRule(
    id: "section-without-order", severity: .refused, stores: [.sqlite, .memory],
    summary: "A fetched results controller needs a sort descriptor.",
    advice: "sort by the section's key first"
  ) { subject in
    let request = subject.request
    return subject.request(
      "sectionIdentifier \(request.sectionIdentifier?.description ?? "")",
      where: request.sectionIdentifier != nil && request.sortDescriptors.isEmpty)
  }

  private static let sectionOrder = RefusalRule(
    id: "section-order", severity: .wrong, stores: [.sqlite, .memory, .swiftData],
    summary: "The first sort descriptor is not by the section's key, so that a section may come more than once.",
    advice: "sort by the section's key first, or by what gives the same order"
  ) { subject in
    let request = subject.request
    guard let section = request.sectionIdentifier, let first = request.sortDescriptors.first else { return [] }
    return subject.request("sectionIdentifier \(section)", where: first.expression != section, at: section.origin)
  }

  private static let limitWithoutOrder = RefusalRule(
    id: "limit-without-order", severity: .wrong, stores: [.sqlite, .swiftData],
    summary: "A limit or an offset is applied to objects in no order: keys are not given in the order of insertion.",
    advice: "add a sort descriptor"
  ) { subject in
    let request = subject.request
    let isCut = (request.fetchLimit ?? 0) > 0 || request.fetchOffset > 0
    return subject.request(
      request.fetchOffset > 0 ? "fetchOffset \(request.fetchOffset)" : "fetchLimit \(request.fetchLimit ?? 0)",
      where: isCut && request.sortDescriptors.isEmpty && request.sectionIdentifier == nil
        && request.resultType != .count)
  }

  private static let objectIDOrder = RefusalRule(
    id: "object-id-order", severity: .wrong, stores: [.sqlite],
    summary: "Object IDs are fetched without property values: the order is a hint then.",
    advice: "leave includesPropertyValues on, or fetch objects as faults"
  ) { subject in
    let request = subject.request
    return subject.request(
      "resultType objectIDs",
      where: request.resultType == .objectIDs && !request.includesPropertyValues && !request.sortDescriptors.isEmpty)
  }
}
