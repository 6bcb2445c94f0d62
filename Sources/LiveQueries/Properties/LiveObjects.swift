public import ObjectGraph

/// The objects of a live property; empty if they could not be fetched.
public struct LiveObjects: RandomAccessCollection {
  let results: FetchedResults?

  /// The first index: 0.
  public var startIndex: Int { 0 }
  /// The index after the last object.
  public var endIndex: Int { results?.count ?? 0 }

  /// The object at `index`, from 0.
  public subscript(index: Int) -> ManagedObject {
    guard let results else { preconditionFailure("there is no object at \(index)") }
    return results[index]
  }

  /// The index of an object; nil if the results do not contain it. O(log n).
  public func index(of object: ManagedObject) -> Int? { results?.index(of: object) }

  /// The sections; empty without a section identifier.
  public var sections: FetchedSections { FetchedSections(results: results) }
}
