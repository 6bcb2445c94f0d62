public import Modeling
public import ObjectGraph

/// The sections of live results: runs of objects with the same section value.
public struct FetchedSections: RandomAccessCollection {
  /// The results; nil for a property whose objects could not be fetched, which has no sections.
  let results: FetchedResults?

  /// The first index: 0.
  public var startIndex: Int { 0 }
  /// The index after the last section.
  public var endIndex: Int {
    results?.source.access()
    return results?.state.sectionCount ?? 0
  }

  /// The section at `index`, in its current state.
  public subscript(index: Int) -> FetchedSection {
    guard let results else { preconditionFailure("there is no section at \(index)") }
    let (id, rows) = results.state.section(at: index)
    return FetchedSection(results: results, id: id, rows: rows)
  }

  /// The index of the section with an ID; nil if there is none.
  public func index(of id: Value) -> Int? {
    results?.source.access()
    return results?.state.sectionIndex(of: id)
  }
}

/// The objects of one section, fixed when the section is accessed.
public struct FetchedSection: RandomAccessCollection, Identifiable {
  let results: FetchedResults
  /// The value that the objects share.
  public let id: Value
  /// The section's indices in the results.
  public let rows: Range<Int>

  /// The first index: 0.
  public var startIndex: Int { 0 }
  /// The index after the last object.
  public var endIndex: Int { rows.count }

  /// The object at `index` of the section.
  public subscript(index: Int) -> ManagedObject { results[rows.lowerBound + index] }
}

extension FetchedResults {
  /// The sections; empty if the request has no section identifier.
  public var sections: FetchedSections { FetchedSections(results: self) }

  /// The section of an object and its index there; nil if the results do not contain it.
  public func indexPath(of object: ManagedObject) -> (section: Int, item: Int)? {
    guard let index = index(of: object) else { return nil }
    return state.indexPath(of: index)
  }
}
