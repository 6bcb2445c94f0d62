extension FetchRequest {
  /// The names of the entity's own properties in the predicate, the sort descriptors and the sections.
  ///
  /// `mainshock.code == "us70"` contains `mainshock`.
  public var propertiesAskedAbout: Set<String> {
    var paths = predicate?.paths ?? []
    for descriptor in sortDescriptors { paths += descriptor.expression.paths }
    if let sectionIdentifier { paths += sectionIdentifier.paths }
    return Set(paths.compactMap(\.names.first))
  }
}
