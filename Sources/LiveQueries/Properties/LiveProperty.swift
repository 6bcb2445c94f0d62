internal import Modeling
public import ObjectGraph
public import Queries
public import Reactive

/// The state behind a property with live objects: the entity, what of its objects is wanted, the context, the results and the error.
///
///     let quakes = LiveProperty("Quake", in: environment) { $0.sortDescriptors = [SortDescriptor("-time")] }
///     quakes.objects.count
///     let token = quakes.onChange { change in print(change.inserted.count, "new") }
///     for await change in quakes.changes { await view.apply(change) }
///
/// The property fetches when it is first read, from the environment's current context. If the environment later has
/// another context, the next read fetches from that one, with the current configuration, and observers receive the
/// difference. If the environment then has no context, the property keeps its last one. A failed fetch is repeated at
/// the next read.
public final class LiveProperty {
  /// Changes a request for all objects to one for those that are wanted.
  public typealias Configuration = (inout Queries.FetchRequest) throws -> Void

  /// The name of the entity whose objects are fetched.
  public let entityName: String
  /// The animation of changes whose transaction has none.
  public var animation: Animation? { didSet { current?.animation = animation } }
  /// Whether the property no longer follows the store.
  public private(set) var isClosed = false

  private let environment: Environment
  /// The configuration of the next fetch.
  private var configuration: Configuration
  private var current: FetchedResults?
  private var failure: (any Error)?
  private let source = ObservationSource()
  let observers = PropertyObservers()

  /// Creates a property with the objects of an entity that a configuration selects, from the context of `environment`.
  public init(
    _ entity: String, animation: Animation? = nil, in environment: Environment,
    _ configuration: @escaping Configuration = { _ in }
  ) {
    entityName = entity
    self.environment = environment
    self.animation = animation
    self.configuration = configuration
  }

  // MARK: What is shown

  /// The objects; empty if they could not be fetched.
  public var objects: LiveObjects { LiveObjects(results: results) }

  /// The sections; empty without a section identifier.
  public var sections: FetchedSections { FetchedSections(results: results) }

  /// The live results; nil if they could not be fetched.
  public var results: FetchedResults? {
    defer { source.access() }
    follow()
    return current
  }

  /// The error of the last fetch: an unknown name, an order that contradicts the sections, or no context. Nil if it
  /// succeeded.
  ///
  /// A configuration that cannot be fetched changes nothing else: the objects are those of the last successful fetch.
  public var error: (any Error)? {
    defer { source.access() }
    follow()
    return failure
  }

  /// The context of the objects; nil if there is none.
  public var context: ObjectContext? { results?.live.context ?? environment.managedObjectContext?.context }

  /// Replaces the configuration: one fetch, and one difference for observers.
  ///
  /// One that cannot be fetched becomes the property's error and changes nothing else; before the first fetch it is kept.
  /// Returns whether it is the configuration now.
  @discardableResult
  public func configure(_ configuration: @escaping Configuration) -> Bool {
    do {
      if isClosed { throw LiveQueryError(.closed) }
      if current != nil { follow() }
      if let current {
        var request = FetchRequest(current.request.entity)
        try configuration(&request)
        try current.replace(with: request)
        if failure != nil { source.didChange() }
        failure = nil
      }
    } catch {
      fail(error)
      return false
    }
    self.configuration = configuration
    follow()
    if let failure { fail(failure) }
    guard let live = current?.live.liveStore else { return true }
    do { try live.turn.run() } catch { live.onError(error) }
    return true
  }

  // MARK: Fetching

  /// Closes the property: the objects stay as they are, observers are not called any more, streams end.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    observers.close()
    current?.close()
  }

  /// Fetches from the environment's context, unless that is done.
  private func follow() {
    if isClosed { return }
    let live = environment.managedObjectContext
    if let current, live == nil || live === current.live { return }
    if live == nil, failure != nil { return }
    let old = current
    do {
      guard let live else { throw LiveQueryError(.noContext) }
      current = try fetch(from: live)
      failure = nil
    } catch {
      current = nil
      failure = error
    }
    guard old !== current else { return }
    observers.move(from: old, to: current)
    source.didChange()
  }

  private func fetch(from live: LiveContext) throws -> FetchedResults {
    guard let entity = live.context.store.model.entity(named: entityName) else {
      throw LiveQueryError(.unknownEntity(entityName))
    }
    var request = FetchRequest(entity)
    try configuration(&request)
    try request.validate(for: .fetch)
    let results = try FetchedResults(request, in: live)
    results.animation = animation
    results.endings.append { [weak self, unowned results] in
      if self?.current === results { self?.close() }
    }
    return results
  }

  private func fail(_ error: any Error) {
    failure = error
    source.didChange()
  }
}
