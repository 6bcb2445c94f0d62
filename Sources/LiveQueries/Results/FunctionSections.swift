internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

/// The sections of live results that a function makes.
///
/// The function's result for an object is cached until the object changes. The function may read related objects: a
/// commit that touches one of their tables invalidates all results.
final class FunctionSections {
  /// The number of calls of the function.
  private(set) var callCount = 0
  private let function: SectionFunction
  private let dependencies: Dependencies
  private let root: Entity
  private let ownTable: String
  /// The tables of related objects, and the join tables between them, in lower case.
  private let relatedTables: Set<String>
  private var known: [Int64: SectionIdentity] = [:]

  init(_ function: SectionFunction, _ request: FetchRequest, _ store: any ObjectStore) throws {
    self.function = function
    dependencies = try Dependencies(request, store: store)
    root = request.entity.root
    ownTable = store.layout(of: request.entity).table.lowercased()
    var related: Set<String> = []
    for entity in request.entity.family {
      let layout = store.layout(of: entity)
      for (index, property) in entity.properties.enumerated() where property.relationship != nil {
        related.insert(store.layout(of: entity.destination(at: index)).table.lowercased())
        if case .join(let join) = layout.properties[index] { related.insert(join.table.lowercased()) }
      }
    }
    relatedTables = related.subtracting([ownTable])
  }

  /// The tables that the results and their sections read.
  var tables: Set<String> { dependencies.tables.union(relatedTables).union([ownTable]) }

  /// Returns the section of each fetched object.
  ///
  /// - Throws: an error of the function; its earlier results stay cached.
  func sections(of result: FetchResult) throws -> [SectionIdentity] {
    var present: [Int64: SectionIdentity] = [:]
    present.reserveCapacity(result.count)
    let sections = try result.objectIDs.enumerated().map { place, id in
      let section = try known[id.key] ?? ask(try result[place])
      present[id.key] = section
      return section
    }
    known = present
    return sections
  }

  private func ask(_ object: ManagedObject) throws -> SectionIdentity {
    callCount += 1
    return SectionIdentity.of(try function.section(of: object))
  }

  /// Whether commits may have changed the results.
  func isTouched(by touched: TouchedRows) -> Bool {
    !touched.isEmpty && (!touched.isComplete || !tables.isDisjoint(with: touched.tables.keys))
  }

  /// Discards the sections of all objects.
  func forgetEverything() { known.removeAll() }

  /// Discards the sections of objects that may have changed: those that commits touched, and those with these keys.
  func forget(_ touched: TouchedRows, _ keys: [Int64]) {
    let own = touched.tables[ownTable]
    if !touched.isComplete || own?.isUnknown == true || !relatedTables.isDisjoint(with: touched.tables.keys) {
      return known.removeAll()
    }
    for key in (own?.keys ?? []) + keys { known[key] = nil }
  }
}
