public import Foundation
internal import LiveQueries
internal import ObjectGraph
public import Reactive

/// The objects of a fetched property: a collection that is kept true.
///
///     quakes.count
///     for quake in quakes { print(quake.place) }
///     quakes.predicate = \.magnitude >= 6
///     let token = quakes.onChange { change in print(change.inserted.count, "new") }
public struct FetchedResults<Object: ManagedObject>: RandomAccessCollection {
  private let property: FetchedProperty<Object>
  private let objects: LiveObjects
  private let context: ManagedObjectContext?

  init(_ property: FetchedProperty<Object>) {
    self.property = property
    objects = property.live.objects
    context = objects.context(of: property.live)
  }

  /// The first place: 0.
  public var startIndex: Int { 0 }
  /// The place behind the last.
  public var endIndex: Int { context == nil ? 0 : objects.endIndex }

  /// The object at `index`, from 0.
  public subscript(index: Int) -> Object {
    guard let context else { preconditionFailure("there is no object at \(index)") }
    return context.object(objects[index], as: Object.self)
  }

  /// The objects one after the other. A loop that takes objects away ends where they end, and may pass some over: it goes over
  /// `Array(quakes)` to see them all.
  public struct Iterator: IteratorProtocol {
    fileprivate let results: FetchedResults
    private var index = 0

    fileprivate init(_ results: FetchedResults) { self.results = results }

    /// The next object; nil behind the last.
    public mutating func next() -> Object? {
      guard index < results.endIndex else { return nil }
      defer { index += 1 }
      return results[index]
    }
  }

  /// The objects one after the other.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// The place of an object; nil where it is not among them. O(log n).
  public func firstIndex(of object: Object) -> Int? { objects.index(of: object.handle) }

  // MARK: What is fetched

  /// Which objects; nil for all.
  public var predicate: FetchPredicate<Object>? {
    get { property.configuration.predicate }
    nonmutating set { property.configuration.predicate = newValue }
  }

  /// In which order, the most important key first.
  public var sortDescriptors: [SortDescriptor<Object>] {
    get { property.configuration.sortDescriptors }
    nonmutating set { property.configuration.sortDescriptors = newValue }
  }

  /// What is fetched, and how; setting it fetches once, and tells observers one change.
  public var configuration: FetchedConfiguration<Object> {
    get { property.configuration }
    nonmutating set { property.configuration = newValue }
  }

  /// What kept the last fetch from succeeding: no context, a mistake in a predicate; nil if nothing did.
  public var error: (any Error)? { property.live.error }

  // MARK: Changes

  /// Has `body` told of each change, after the save or at the end of the turn that made it.
  public func onChange(_ body: @escaping (ResultsChange) -> Void) -> ObservationToken { property.live.onChange(body) }

  /// The changes, for `for await`: each from now on, until the results are closed.
  public var changes: AsyncStream<ResultsChange> { property.live.changes }

  /// Ends it: the objects stay as they are, observers are told nothing more, streams end.
  public func close() { property.live.close() }
}
