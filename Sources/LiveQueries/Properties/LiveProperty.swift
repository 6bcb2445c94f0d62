internal import Modeling
public import ObjectGraph
internal import Queries
public import Reactive

/// What `@Fetched`, `@SectionedFetched` and `@Query` show, and how: the request, the context, the results and the error.
///
///     board.$quakes.predicate = try Predicate.parse("magnitude >= 6")
///     try board.$quakes.configure { $0.fetchLimit = 10 }
///     let token = board.$quakes.onChange { change in print(change.inserted.count, "new") }
///     for await change in board.$quakes.changes { await view.apply(change) }
///
/// The objects are fetched when the property is first read, from the context that the environment has then. Where the
/// environment has another context, the next reading fetches from that one, by the configuration as it is by now, and
/// observers are told the difference; where it has none any more, the property stays with the one it has. What failed is tried
/// again with the next reading.
@dynamicMemberLookup
public final class LiveProperty {
  /// The name of the entity whose objects are fetched.
  public let entityName: String
  /// How changes are shown where nothing else is said.
  public var animation: String? { didSet { current?.animation = animation } }
  /// Whether the property no longer follows the store.
  public private(set) var isClosed = false

  private let environment: Environment
  /// The configuration that the next fetch begins with.
  private var wanted: Result<FetchConfiguration, any Error>
  private var current: FetchedResults?
  private var failure: (any Error)?
  private let source = ObservationSource()
  let observers = PropertyObservers()

  /// The objects of an entity that a configuration selects, from the context of `environment`. What the configuration throws
  /// is the property's error.
  public init(
    _ entity: String, animation: String? = nil, in environment: Environment,
    _ configuration: () throws -> FetchConfiguration
  ) {
    entityName = entity
    self.environment = environment
    self.animation = animation
    wanted = Result(catching: configuration)
  }

  // MARK: What is shown

  /// The objects; none where they could not be fetched.
  public var objects: LiveObjects { LiveObjects(results: results) }

  /// The sections; none where there is no section identifier.
  public var sections: FetchedSections { FetchedSections(results: results) }

  /// The live results; nil where they could not be fetched.
  public var results: FetchedResults? {
    defer { source.access() }
    follow()
    return current
  }

  /// What kept the last fetch from succeeding: a name that the model does not have, an order that contradicts the sections,
  /// no context. Nil if nothing did.
  ///
  /// A configuration that cannot be fetched changes nothing else: the objects are those of the last one that could.
  public var error: (any Error)? {
    defer { source.access() }
    follow()
    return failure
  }

  /// The context that the objects are of; nil where there is none.
  public var context: ObjectContext? { results?.live.context ?? environment.managedObjectContext?.context }

  // MARK: Configuration

  /// What is fetched, and in which order and sections; everything where what the property was made with cannot be read.
  ///
  /// Setting it fetches once and tells observers one difference. What is wrong with it is `error`, and nothing changes.
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

  /// A part of the configuration. Parts that must agree are set together.
  public subscript<Value>(dynamicMember keyPath: WritableKeyPath<FetchConfiguration, Value>) -> Value {
    get { configuration[keyPath: keyPath] }
    set { configuration[keyPath: keyPath] = newValue }
  }

  /// Changes the configuration: the objects are fetched anew, once, and observers are told one difference.
  ///
  /// - Throws: what is wrong with the change, or what keeps the objects from being fetched; EndlessRounds if observers go on
  ///   changing what they observe.
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

  /// A binding to the configuration, and by its members to the parts: `binding().sortDescriptors`.
  public func binding() -> Binding<FetchConfiguration> {
    Binding(get: { self.configuration }, set: { self.configuration = $0 })
  }

  private func take(_ configuration: FetchConfiguration) throws {
    if isClosed { throw LiveQueryError(.closed) }
    if current != nil { follow() }
    if let current {
      var request = current.request
      configuration.apply(to: &request)
      // An order that contradicts the sections, too: it is not left to the sections to prevail.
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

  /// Ends it: the objects stay as they are, observers are told nothing more, streams end.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    observers.close()
    current?.close()
  }

  /// Fetches what is not fetched yet from the context that the environment has.
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
