public import Modeling
public import Queries
internal import Stores

/// The result of a fetch with the sections that its objects stand in, one behind the other.
public struct SectionedResult {
  /// The objects, section by section.
  public let objects: FetchResult
  /// The common value of each section's objects, and their number; empty if the request has no sections.
  public let sections: [(id: Value, count: Int)]
}

extension ObjectContext {
  /// Fetches a request with its sections: those of its section identifier, or those that its function makes.
  ///
  /// Where nothing is unsaved the store gives the sections: counted, or a value for each row where they stand in another order.
  ///
  /// - Throws: PredicateError, StoreError, what the function throws; `GraphError.tooManyValues` beyond `most` sections.
  public func fetchSections(_ request: FetchRequest, most: Int) throws -> SectionedResult {
    let name = request.sectionName ?? ""
    var runs = SectionRuns(name, most: most)
    if let function = request.sectionFunction {
      return try sections(of: try fetch(request), by: function, &runs)
    }
    guard let section = request.sectionIdentifier else {
      return SectionedResult(objects: try fetch(request), sections: [])
    }
    let ordered = request.inSectionOrder
    return try store.reading {
      let result = try fetch(ordered)
      if try isAsStored(ordered), let counts = ordered.sectionCounts(section) {
        // The sections are in the order of their common values, so a row for each is enough.
        let cursor = try store.dictionaries(counts)
        defer { cursor.close() }
        while try cursor.step() {
          guard case .int(let count) = cursor.value(1) else { continue }
          try runs.add(cursor.value(0), Int(count))
        }
      } else if try isAsStored(ordered) {
        var values = ordered
        values.resultType = .dictionaries
        values.propertiesToFetch = [FetchedColumn("section", section)]
        let cursor = try store.dictionaries(values, tiesByKey: true)
        defer { cursor.close() }
        while try cursor.step() { try runs.add(cursor.value(0)) }
      } else {
        let compiled = try CompiledExpression(section, entity: request.entity)
        for index in 0..<result.count { try runs.add(try compiled.value(of: try result[index])) }
      }
      return SectionedResult(objects: result, sections: runs.sections)
    }
  }

  /// Asks a function of each object, and puts each section where its first object stands.
  private func sections(
    of result: FetchResult, by function: SectionFunction, _ runs: inout SectionRuns
  ) throws -> SectionedResult {
    var ranks: [Value: Int] = [:]
    var places: [(rank: Int, index: Int)] = []
    var ids: [Value] = []
    var poll = InterruptionPoll()
    for index in 0..<result.count {
      try poll.step()
      let id = try function.section(of: try result[index])
      if ranks[id] == nil {
        ranks[id] = ids.count
        ids.append(id)
      }
      places.append((ranks[id] ?? 0, index))
    }
    places.sort { $0 < $1 }
    for place in places { try runs.add(ids[place.rank]) }
    let slots = places.map { result.slot(at: $0.index) }
    let table = result.objects
    let objects = FetchResult(context: self, entity: result.entity, keys: slots.map { table.key($0) }, slots: slots)
    objects.request = result.request
    return SectionedResult(objects: objects, sections: runs.sections)
  }
}

/// Puts values that follow each other and are the same together.
private struct SectionRuns {
  private(set) var sections: [(id: Value, count: Int)] = []
  private let name: String
  private let most: Int
  private var poll = InterruptionPoll()

  init(_ name: String, most: Int) {
    self.name = name
    self.most = most
  }

  mutating func add(_ value: Value, _ count: Int = 1) throws {
    try poll.step()
    if let last = sections.last, last.id == value { return sections[sections.count - 1].count += count }
    if sections.count == most { throw GraphError(.tooManyValues(name, most: most)) }
    sections.append((value, count))
  }
}

extension FetchRequest {
  /// The request for the number of objects in each section; nil if sections are not in the order of `section` itself, or if
  /// only a part of the objects counts.
  fileprivate func sectionCounts(_ section: Queries.Expression) -> FetchRequest? {
    guard !isPart, let first = sortDescriptors.first, first.expression == section, first.comparator == .binary else {
      return nil
    }
    var counts = self
    counts.resultType = .dictionaries
    counts.propertiesToGroupBy = [section]
    counts.propertiesToFetch = [FetchedColumn("section", section), FetchedColumn("count", .call(.count, .object))]
    counts.sortDescriptors = [first]
    (counts.sectionIdentifier, counts.sectionFunction) = (nil, nil)
    return counts
  }
}
