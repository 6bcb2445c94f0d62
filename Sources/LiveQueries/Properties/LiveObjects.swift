public import ObjectGraph

/// The objects of a live property: those that were fetched, or none where they could not be.
public struct LiveObjects: RandomAccessCollection {
  let results: FetchedResults?

  /// The first place: 0.
  public var startIndex: Int { 0 }
  /// The place behind the last.
  public var endIndex: Int { results?.count ?? 0 }

  /// The object at `index`, from 0.
  public subscript(index: Int) -> ManagedObject {
    guard let results else { preconditionFailure("there is no object at \(index)") }
    return results[index]
  }

  /// The place of an object; nil where it is not among them. O(log n).
  public func index(of object: ManagedObject) -> Int? { results?.index(of: object) }

  /// The sections; none where there is no section identifier.
  public var sections: FetchedSections { FetchedSections(results: results) }
}
