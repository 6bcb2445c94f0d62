internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Storage

/// The sections that a function makes of live results.
///
/// What it answered for an object is kept until the object changes. It may read objects that relationships of the object lead
/// to: a commit that touches one of their tables has it asked of everything again.
final class FunctionSections {
  /// How often the function was asked.
  private(set) var callCount = 0
  private let function: SectionFunction
  private let dependencies: Dependencies
  private let root: Entity
  private let ownTable: String
  /// The tables of the objects that relationships lead to, and of the pairs between, in lower case.
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

  /// The tables that the results and their sections are read from.
  var tables: Set<String> { dependencies.tables.union(relatedTables).union([ownTable]) }

  /// The section of each object that was fetched.
  ///
  /// - Throws: what the function throws; what it answered before is kept.
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

  /// Whether commits may have changed what is shown.
  func isTouched(by touched: TouchedRows) -> Bool {
    !touched.isEmpty && (!touched.isComplete || !tables.isDisjoint(with: touched.tables.keys))
  }

  /// Forgets the sections of objects that may be others now: those that commits touched, and those with these keys.
  func forget(_ touched: TouchedRows, _ keys: [Int64]) {
    let own = touched.tables[ownTable]
    if !touched.isComplete || own?.isUnknown == true || !relatedTables.isDisjoint(with: touched.tables.keys) {
      return known.removeAll()
    }
    for key in (own?.keys ?? []) + keys { known[key] = nil }
  }
}
