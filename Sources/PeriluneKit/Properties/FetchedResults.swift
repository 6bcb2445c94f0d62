public import Foundation
internal import LiveQueries
internal import ObjectGraph
public import Reactive

/// The live objects of a fetched property.
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

  /// The first index: 0.
  public var startIndex: Int { 0 }
  /// The index after the last object.
  public var endIndex: Int { context == nil ? 0 : objects.endIndex }

  /// The object at `index`, from 0.
  public subscript(index: Int) -> Object {
    guard let context else { preconditionFailure("there is no object at \(index)") }
    return context.object(objects[index], as: Object.self)
  }

  /// An iterator over the objects. If the loop removes objects, it ends at the new end and may skip some; iterate over
  /// `Array(quakes)` to visit all.
  public struct Iterator: IteratorProtocol {
    fileprivate let results: FetchedResults
    private var index = 0

    fileprivate init(_ results: FetchedResults) { self.results = results }

    /// Returns the next object; nil after the last.
    public mutating func next() -> Object? {
      guard index < results.endIndex else { return nil }
      defer { index += 1 }
      return results[index]
    }
  }

  /// Returns an iterator over the objects.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// The index of an object; nil if the results do not contain it. O(log n).
  public func firstIndex(of object: Object) -> Int? { objects.index(of: object.handle) }

  // MARK: What is fetched

  /// Selects the objects; nil for all.
  public var predicate: FetchPredicate<Object>? {
    get { property.configuration.predicate }
    nonmutating set { property.configuration.predicate = newValue }
  }

  /// The predicate as Foundation's class; nil for all objects. Each read creates one.
  public var nsPredicate: NSPredicate? {
    get { property.configuration.nsPredicate }
    nonmutating set { property.configuration.nsPredicate = newValue }
  }

  /// The sort order, most important key first.
  public var sortDescriptors: [SortDescriptor<Object>] {
    get { property.configuration.sortDescriptors }
    nonmutating set { property.configuration.sortDescriptors = newValue }
  }

  /// The sort order as Foundation's class, most important key first.
  public var nsSortDescriptors: [NSSortDescriptor] {
    get { property.configuration.nsSortDescriptors }
    nonmutating set { property.configuration.nsSortDescriptors = newValue }
  }

  /// The configuration; setting it fetches once, and reports one change to observers.
  public var configuration: FetchRequest<Object>.Configuration {
    get { property.configuration }
    nonmutating set { property.configuration = newValue }
  }

  /// The error of the last fetch: no context, or an invalid predicate; nil if it succeeded.
  public var error: (any Error)? { property.live.error }

  // MARK: Changes

  /// Calls `body` for each change, after the save or at the end of the turn that made it.
  public func onChange(_ body: @escaping (ResultsChange) -> Void) -> ObservationToken { property.live.onChange(body) }

  /// The changes from now on, for `for await`. The stream ends when the results are closed.
  public var changes: AsyncStream<ResultsChange> { property.live.changes }

  /// The whole results after each change from now on. The sequence ends when the results are closed. `changes` says what
  /// is different, which costs less than to compare.
  public var publisher: some AsyncSequence<FetchedResults<Object>, Never> {
    let property = property
    return ValueSequence(property.live.changes) { FetchedResults<Object>(property) }
  }

  /// Closes the results: the objects stay as they are, observers are not called any more, streams end.
  public func close() { property.live.close() }
}
