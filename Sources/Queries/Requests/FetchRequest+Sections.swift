internal import Modeling

extension FetchRequest {
  /// The sort order in which each section is contiguous: the section identifier is the first key.
  ///
  /// If the first key is the section identifier, or also orders the sections (as `time` does those of `day(time)`), it
  /// is the request's own order.
  public var sectionedSortDescriptors: [SortDescriptor] {
    guard let section = sectionIdentifier else { return sortDescriptors }
    if let first = sortDescriptors.first {
      if first.expression == section || first.expression == periodSource(of: section) { return sortDescriptors }
    }
    return [SortDescriptor(section)] + sortDescriptors
  }

  /// The request as it is fetched, with the section identifier in its sort order.
  public var inSectionOrder: FetchRequest {
    var request = self
    request.sortDescriptors = sectionedSortDescriptors
    return request
  }

  /// The date of which a section identifier is the year, month or day, written in full or as a derived attribute.
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

  /// The reason why the sort order would split sections; nil if it keeps them contiguous.
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
    groups.groupsTextsByBytes = true
    groups.propertiesToFetch = [FetchedColumn("", sectionIdentifier)] + sectionValues
    return groups
  }
}
