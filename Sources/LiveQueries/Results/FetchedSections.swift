public import Modeling
public import ObjectGraph

/// The sections of live results: runs of objects that have the section key in common.
public struct FetchedSections: RandomAccessCollection {
  /// Nil for the sections of a property whose objects could not be fetched: there are none.
  let results: FetchedResults?

  /// The first place: 0.
  public var startIndex: Int { 0 }
  /// The place behind the last.
  public var endIndex: Int {
    results?.source.access()
    return results?.state.sectionCount ?? 0
  }

  /// The section at `index`, as it is now.
  public subscript(index: Int) -> FetchedSection {
    guard let results else { preconditionFailure("there is no section at \(index)") }
    let (id, rows) = results.state.section(at: index)
    return FetchedSection(results: results, id: id, rows: rows)
  }

  /// The place of the section with an ID; nil where there is none.
  public func index(of id: Value) -> Int? {
    results?.source.access()
    return results?.state.sectionIndex(of: id)
  }
}

/// The objects of one section, as they are when it is taken: a collection of its own.
public struct FetchedSection: RandomAccessCollection, Identifiable {
  let results: FetchedResults
  /// What the objects have in common.
  public let id: Value
  /// Where they stand among all objects.
  public let rows: Range<Int>

  /// The first place: 0.
  public var startIndex: Int { 0 }
  /// The place behind the last.
  public var endIndex: Int { rows.count }

  /// The object at `index` of the section.
  public subscript(index: Int) -> ManagedObject { results[rows.lowerBound + index] }
}

extension FetchedResults {
  /// The sections; none where the request has no section identifier.
  public var sections: FetchedSections { FetchedSections(results: self) }

  /// The place of an object as section and place in it; nil where it is not among the results.
  public func indexPath(of object: ManagedObject) -> (section: Int, item: Int)? {
    guard let index = index(of: object) else { return nil }
    return state.indexPath(of: index)
  }
}
