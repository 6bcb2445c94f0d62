public import Foundation
internal import Modeling
internal import ObjectGraph
public import Reactive
internal import Storage

/// An open store with its contexts.
///
///     let container = try PersistentContainer("quakes.sqlite", for: QuakesSchema.self)
///     let context = container.viewContext
///
/// The store is one of Perilune's own, any other SQLite file, or one that Core Data or SwiftData made. It belongs to one
/// thread, as its contexts and their objects do.
public final class PersistentContainer {
  /// When observers are told: `try container.turn.run()`, or `processPendingChanges()` of a context.
  public var turn: Turn { opened.turn }
  /// The context of what a program shows.
  public let viewContext: ManagedObjectContext

  private let opened: OpenStore

  /// What may be done with a store.
  public struct Options: Hashable, Sendable {
    /// Whether a missing file is made, with the model of the schema.
    public var createsStore = true
    /// Whether every write is refused.
    public var isReadOnly = false
    /// Whether a store of Core Data or SwiftData is written, too.
    public var writesCoreDataStores = false
    /// Whether the store gets the model of the schema, migrated where that is needed; else its own model counts.
    public var migratesStore = false
    /// How long to wait for another process's lock, in seconds.
    public var busyTimeout = 5.0

    /// Makes a missing store, and leaves the model of others as it is.
    public init() {}
  }

  /// Opens the store at a path, or makes it there; `:memory:` is a store that ends with the container.
  ///
  /// - Throws: StoreError where it cannot be opened; PeriluneError.unfit with all that the classes need and the store lacks.
  public init(_ path: String, for schema: any ModelSchema.Type, options: Options = Options()) throws {
    var wanted = StoreOptions(path: path)
    let isNew = path == ":memory:" || !FileManager.default.fileExists(atPath: path)
    wanted.create = options.createsStore
    wanted.readOnly = options.isReadOnly
    wanted.writesCoreData = options.writesCoreDataStores
    wanted.busyTimeout = options.busyTimeout
    if isNew || options.migratesStore { wanted.model = try Model(encoded: schema.model) }
    opened = try OpenStore(SQLiteStore(wanted), schema.classes)
    viewContext = ManagedObjectContext(opened, ObjectContext(store: opened.store))
  }

  /// Opens the store in a file, or makes it there.
  ///
  /// - Throws: StoreError where it cannot be opened; PeriluneError.unfit with all that the classes need and the store lacks.
  public convenience init(url: URL, for schema: any ModelSchema.Type, options: Options = Options()) throws {
    try self.init(url.path(percentEncoded: false), for: schema, options: options)
  }

  /// The path of the file.
  public var path: String { opened.store.path }

  /// Called with the error of a live result that could not be brought up to date; it is fetched again the next time.
  public var onError: (any Error) -> Void {
    get { opened.live.onError }
    set { opened.live.onError = newValue }
  }

  /// A context of its own, beside `viewContext`.
  public func newContext() -> ManagedObjectContext {
    ManagedObjectContext(opened, ObjectContext(store: opened.store))
  }

  /// Runs `body` now, and at the end of each turn in which anything changed that it has read: properties of objects,
  /// fetched results, states.
  @discardableResult
  public func effect(_ body: @escaping () -> Void) -> Effect { Effect(turn, body) }
}
