internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

// Rows from objects and from requests.
extension BatchRows {
  /// The maximum number of a request's rows whose index entries may be in memory at once: some 20 MB.
  private static let mostSortedRows = 250_000

  /// The values of an object for the properties with the same names.
  func row(of object: ManagedObject) throws -> Row {
    var row: Row = []
    for (source, places) in try plan(for: object.entity) {
      let value: Value
      if object.entity.properties[source].relationship == nil {
        value = try object.attribute(at: source)
      } else {
        value = try object.related(at: source).map { .object($0.objectID) } ?? .null
      }
      try mapping.add(value, at: places, to: &row)
    }
    return row
  }

  /// The destinations of an entity's properties.
  private func plan(for source: Entity) throws -> [(source: Int, places: [BatchMapping.Place])] {
    if let known = plans[source] { return known }
    for name in mapping.names where source.index(of: name) == nil {
      let hint = ErrorReport.hint(nearest(name, source.properties.map(\.name)))
      throw call.fail("map: \(source.name) has no property '\(name)'\(hint)")
    }
    let plan = source.properties.enumerated().compactMap { index, property in
      property.relationship?.isToMany == true
        ? nil : places(ofProperty: property.name).map { (source: index, places: $0) }
    }
    if plan.allSatisfy(\.places.isEmpty) {
      throw call.fail(
        "\(source.name) and \(mapping.entity.name) have no property of the same name; say in map what goes where")
    }
    plans[source] = plan
    return plan
  }

  /// The destinations of an object's property; nil if the entity does not have it, or computes it.
  private func places(ofProperty name: String) -> [BatchMapping.Place]? {
    guard let places = mapping[name] else { return nil }
    if mapping.names.contains(name) { return places }
    guard let property = mapping.entity.property(named: name), property.isWritable,
      property.relationship?.isToMany != true
    else { return nil }
    return places
  }

  func open(_ result: BoundResult) throws {
    try result.context.checkOpen(call.place)
    expected = result.result.count
    var position = 0
    next = { [unowned self] in
      guard position < result.result.count else { return nil }
      position += 1
      return try inRow { try self.row(of: try result.result[position - 1]) }
    }
  }

  // MARK: Requests

  func open(_ bound: BoundRequest) throws {
    var request = try bound.ready(call)
    switch request.resultType {
    case .count: throw call.fail("a request with resultType \"count\" has no rows")
    case .dictionaries: try open(request, in: bound.context)
    case .objects, .objectIDs:
      request.resultType = .objects
      // Unsaved objects are rows, too; without them, the store returns the values without making objects.
      let isSaved = !request.includesPendingChanges || !bound.context.objectContext.hasChanges
      guard isSaved else { return try open(BoundResult(try bound.context.objectContext.fetch(request), bound.context)) }
      let plan = try plan(for: request.entity)
      request.propertiesToFetch = plan.compactMap { source, _ in
        let property = request.entity.properties[source]
        if property.isTransient { return nil }
        return FetchedColumn(property.name, .path(PropertyPath([property.name])))
      }
      request.resultType = .dictionaries
      try open(request, in: bound.context)
    }
  }

  /// The rows of a request that are as they were before what is written meanwhile.
  private static func rows(
    of request: Queries.FetchRequest, in context: BoundContext, insertedInto target: Entity, changing: Bool
  ) throws -> ValueCursor {
    try context.store.objectStore.dictionaries(request, insertedInto: target, changing: changing)
  }

  /// Reads the rows of a dictionary request, also of one that reads what is inserted into.
  private func open(_ request: Queries.FetchRequest, in context: BoundContext) throws {
    let store = context.store.objectStore
    let count = try store.count(request)
    // Indexes that are built afterwards are sorted in memory.
    expected = count <= Self.mostSortedRows ? count : 0
    let (target, changes) = (mapping.entity, isUpsert)
    var cursor: ValueCursor?
    var places: [[BatchMapping.Place]] = []
    close = {
      cursor?.close()
      cursor = nil
    }
    let names = try store.dictionaries(request).columns
    for name in mapping.names where !names.contains(name) {
      throw call.fail("map: the rows have no column '\(name)'\(ErrorReport.hint(nearest(name, names)))")
    }
    for name in names {
      guard let found = mapping[name] else {
        let hint = ErrorReport.hint(nearest(name, mapping.entity.properties.map(\.name)))
        throw call.fail(
          "the column '\(name)' is not a property of \(mapping.entity.name); say in map where it goes, or false\(hint)")
      }
      places.append(found)
    }
    next = { [unowned self] in
      // Opened with the first row: indexes may go before it, and not while something is read.
      let rows = try cursor ?? Self.rows(of: request, in: context, insertedInto: target, changing: changes)
      cursor = rows
      guard try rows.step() else { return nil }
      return try inRow {
        var row: Row = []
        for (column, places) in places.enumerated() { try mapping.add(rows.value(column), at: places, to: &row) }
        return row
      }
    }
  }
}
