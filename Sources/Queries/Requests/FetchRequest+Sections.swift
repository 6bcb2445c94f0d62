internal import Modeling

extension FetchRequest {
  /// The order in which the objects of a section stand together: the section key leads it.
  ///
  /// Where the first key is the section key, or orders the sections as well (as `time` does those of `day(time)`), it
  /// is the request's own order.
  public var sectionedSortDescriptors: [SortDescriptor] {
    guard let section = sectionIdentifier else { return sortDescriptors }
    if let first = sortDescriptors.first {
      if first.expression == section || first.expression == periodSource(of: section) { return sortDescriptors }
    }
    return [SortDescriptor(section)] + sortDescriptors
  }

  /// The request with the section key in its sort order, as it is fetched.
  public var inSectionOrder: FetchRequest {
    var request = self
    request.sortDescriptors = sectionedSortDescriptors
    return request
  }

  /// The date of which a section key is the year, month or day, written out or as a derived attribute.
  private func periodSource(of section: Expression) -> Expression? {
    var expression = section
    if case .path(let path) = section, let attribute = try? path.resolve(in: entity).finalAttribute,
      let derivation = attribute.derivation, path.onlyName != nil, let derived = try? Expression.parse(derivation)
    {
      expression = derived
    }
    guard case .function(let function, let arguments, _) = expression, arguments.count == 1,
      [.year, .month, .day].contains(function)
    else { return nil }
    return arguments[0]
  }

  /// A message that says why the sort order would tear sections apart; nil if it keeps them together.
  var sectionContradiction: PredicateError.Fact? {
    guard let section = sectionIdentifier else { return nil }
    let places = sortDescriptors.indices.filter { sortDescriptors[$0].expression == section }
    guard let place = places.first else { return nil }
    let key = section.description
    if place > 0 { return .sectionBehind(key, first: sortDescriptors[0].expression.description) }
    return sortDescriptors[0].comparator == .caseInsensitive ? .sectionsMixed(key) : nil
  }
}

extension FetchRequest {
  /// The request for the values of the sections: a dictionary for each, its ID first. Nil where there are none.
  public var sectionGroups: FetchRequest? {
    guard let sectionIdentifier, !sectionValues.isEmpty else { return nil }
    var groups = FetchRequest(entity)
    groups.predicate = predicate
    groups.includesSubentities = includesSubentities
    groups.includesPendingChanges = includesPendingChanges
    groups.resultType = .dictionaries
    groups.propertiesToGroupBy = [sectionIdentifier]
    groups.propertiesToFetch = [FetchedColumn("", sectionIdentifier)] + sectionValues
    return groups
  }
}
