internal import Modeling
public import ObjectGraph
internal import Queries
public import Reactive

/// The state behind `@Fetched`, `@SectionedFetched` and `@Query`: the request, the context, the results and the error.
///
///     board.$quakes.predicate = try Predicate.parse("magnitude >= 6")
///     try board.$quakes.configure { $0.fetchLimit = 10 }
///     let token = board.$quakes.onChange { change in print(change.inserted.count, "new") }
///     for await change in board.$quakes.changes { await view.apply(change) }
///
/// The property fetches when it is first read, from the environment's current context. If the environment later has
/// another context, the next read fetches from that one, with the current configuration, and observers receive the
/// difference. If the environment then has no context, the property keeps its last one. A failed fetch is repeated at
/// the next read.
@dynamicMemberLookup
public final class LiveProperty {
  /// The name of the entity whose objects are fetched.
  public let entityName: String
  /// The animation of changes whose transaction has none.
  public var animation: Animation? { didSet { current?.animation = animation } }
  /// Whether the property no longer follows the store.
  public private(set) var isClosed = false

  private let environment: Environment
  /// The configuration of the next fetch.
  private var wanted: Result<FetchConfiguration, any Error>
  private var current: FetchedResults?
  private var failure: (any Error)?
  private let source = ObservationSource()
  let observers = PropertyObservers()

  /// Creates a property with the objects of an entity that a configuration selects, from the context of `environment`.
  /// An error that the configuration throws becomes the property's error.
  public init(
    _ entity: String, animation: Animation? = nil, in environment: Environment,
    _ configuration: () throws -> FetchConfiguration
  ) {
    entityName = entity
    self.environment = environment
    self.animation = animation
    wanted = Result(catching: configuration)
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

  // MARK: Configuration

  /// The current configuration: predicate, order, sections. The default, if the property's initial texts could not be
  /// parsed.
  ///
  /// Setting it fetches once and reports one difference to observers. If it is invalid, `error` is set and nothing else
  /// changes.
  public var configuration: FetchConfiguration {
    get {
      if let results { return FetchConfiguration(results.request) }
      return (try? wanted.get()) ?? FetchConfiguration()
    }
    set {
      do { try take(newValue) } catch { return fail(error) }
      guard let live = current?.live.liveStore else { return }
      do { try live.turn.run() } catch { live.onError(error) }
    }
  }

  /// A part of the configuration. To change parts that must agree, use `configure`.
  public subscript<Value>(dynamicMember keyPath: WritableKeyPath<FetchConfiguration, Value>) -> Value {
    get { configuration[keyPath: keyPath] }
    set { configuration[keyPath: keyPath] = newValue }
  }

  /// Changes the configuration: fetches again, once, and reports one difference to observers.
  ///
  /// - Throws: the error of the change or of the fetch; EndlessRounds if observers keep changing what they observe.
  public func configure(_ change: (inout FetchConfiguration) throws -> Void) throws {
    do {
      var wanted = configuration
      try change(&wanted)
      try take(wanted)
    } catch {
      fail(error)
      throw error
    }
    try current?.live.liveStore.turn.run()
  }

  /// A binding to the configuration; its members are bindings to the parts: `binding().sortDescriptors`.
  public func binding() -> Binding<FetchConfiguration> {
    Binding(get: { self.configuration }, set: { self.configuration = $0 })
  }

  private func take(_ configuration: FetchConfiguration) throws {
    if isClosed { throw LiveQueryError(.closed) }
    if current != nil { follow() }
    if let current {
      var request = current.request
      configuration.apply(to: &request)
      // This also rejects an order that contradicts the sections.
      try request.validate(for: .fetch)
      try current.replace(with: request)
      if failure != nil { source.didChange() }
      failure = nil
    } else {
      wanted = .success(configuration)
      follow()
      if let failure { throw failure }
    }
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
    if let old { wanted = .success(FetchConfiguration(old.request)) }
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
    try wanted.get().apply(to: &request)
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
