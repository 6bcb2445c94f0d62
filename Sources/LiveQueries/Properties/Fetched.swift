public import Modeling
public import ObjectGraph
public import Queries
public import Reactive

/// A property that holds the objects a request selects, live, from the context of an environment.
///
///     final class Board {
///       @Fetched("Quake", predicate: "magnitude >= 5", sort: ["-time"], in: environment) var quakes
///     }
///     board.quakes.count
///     try board.$quakes.configure { $0.fetchLimit = 10 }
///
/// The objects are fetched when the property is first read. What goes wrong then - no context, a name that the model does not
/// have - is `$quakes.error`, and there are no objects.
@propertyWrapper
public final class Fetched {
  private let environment: Environment
  private let makeRequest: (Model) throws -> FetchRequest
  private let animation: String?
  private var fetched: Result<FetchedResults, any Error>?

  /// Objects of an entity: those for which `predicate` is true, in the order of `sort`, in which a key after `-` descends,
  /// with what they have in common in `sectionIdentifier`.
  public convenience init(
    _ entity: String, predicate: String? = nil, sort: [String] = [], sectionIdentifier: String? = nil,
    fetchLimit: Int? = nil, animation: String? = nil, in environment: Environment
  ) {
    self.init(animation: animation, in: environment) { model in
      guard let found = model.entity(named: entity) else { throw LiveQueryError(.unknownEntity(entity)) }
      var request = FetchRequest(found)
      request.predicate = try predicate.map { try Predicate.parse($0) }
      request.sortDescriptors = sort.map { SortDescriptor($0) }
      request.sectionIdentifier = try sectionIdentifier.map { try Expression.parse($0) }
      request.fetchLimit = fetchLimit
      return request
    }
  }

  /// The objects of a request, which is made for the model of the context.
  public init(
    animation: String? = nil, in environment: Environment, _ request: @escaping (Model) throws -> FetchRequest
  ) {
    self.environment = environment
    self.animation = animation
    makeRequest = request
  }

  /// The objects; none where they could not be fetched.
  public var wrappedValue: Objects { Objects(results: results) }

  /// The property itself, for its configuration, observers and sections.
  public var projectedValue: Fetched { self }

  /// The live results; nil where they could not be fetched.
  public var results: FetchedResults? { try? fetch().get() }

  /// Why there are no objects.
  public var error: (any Error)? {
    if case .failure(let error) = fetch() { error } else { nil }
  }

  /// Changes the request; see `FetchedResults.configure`.
  ///
  /// - Throws: what kept the objects from being fetched, or what is wrong with the change.
  public func configure(_ change: (inout FetchRequest) throws -> Void) throws {
    try fetch().get().configure(change)
  }

  /// A binding to a part of the request: setting it fetches anew. What is wrong with a value is left out.
  public func binding<Value>(_ keyPath: WritableKeyPath<FetchRequest, Value>) -> Binding<Value?> {
    Binding(
      get: { self.results?.request[keyPath: keyPath] },
      set: { value in
        guard let value else { return }
        try? self.results?.configure { $0[keyPath: keyPath] = value }
      })
  }

  private func fetch() -> Result<FetchedResults, any Error> {
    if let fetched { return fetched }
    let new = Result { () throws -> FetchedResults in
      guard let live = environment.managedObjectContext else { throw LiveQueryError(.noContext) }
      let results = try FetchedResults(try makeRequest(live.context.store.model), in: live)
      results.animation = animation
      return results
    }
    fetched = new
    return new
  }

  /// Live objects that may be none because they could not be fetched.
  public struct Objects: RandomAccessCollection {
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

    /// The sections; none where the request has no section identifier.
    public var sections: FetchedSections? { results?.sections }
  }
}
