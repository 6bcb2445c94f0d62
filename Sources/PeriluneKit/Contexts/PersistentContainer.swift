public import Foundation
internal import Modeling
internal import ObjectGraph
public import Reactive
internal import SQLiteStorage
internal import Stores

/// An open store with its contexts.
///
///     let container = try PersistentContainer("quakes.sqlite", for: QuakesSchema.self)
///     let context = container.viewContext
///
/// The store is one of Perilune's own, any other SQLite file, or one that Core Data or SwiftData made. It belongs to
/// one thread, and so do its contexts and their objects.
public final class PersistentContainer {
  /// The turn that notifies observers: `try container.turn.run()`, or `processPendingChanges()` of a context.
  public var turn: Turn { opened.turn }
  /// The context for a program's user interface.
  public let viewContext: ManagedObjectContext

  let opened: OpenStore
  let schema: any ModelSchema.Type
  let options: Options

  /// Options for opening a store.
  public struct Options: Hashable, Sendable {
    /// Whether to create a missing file, with the model of the schema.
    public var createsStore = true
    /// Whether to refuse every write.
    public var isReadOnly = false
    /// Whether to write stores of Core Data or SwiftData, too.
    public var writesCoreDataStores = false
    /// Whether to migrate the store to the model of the schema if necessary; otherwise its own model is used.
    public var migratesStore = false
    /// Whether a migration may lose content that has no place in the schema; otherwise it is refused with a list of the
    /// losses.
    public var permitsLosses = false
    /// Switches the store's history on or off, in the file and for all programs; nil leaves it as it is.
    public var recordsHistory: Bool?
    /// The maximum time to wait for another process's lock, in seconds.
    public var busyTimeout = 5.0

    /// Creates options that create a missing store and do not migrate existing ones.
    public init() {}
  }

  /// Opens or creates the store at a path; `:memory:` is a store in memory, which ends with the container.
  ///
  /// - Throws: StoreError if it cannot be opened; PeriluneError.unfit with everything that the classes need and the
  ///   store lacks.
  public init(_ path: String, for schema: any ModelSchema.Type, options: Options = Options()) throws {
    var wanted = StoreOptions(path: path)
    let isNew = path == ":memory:" || !FileManager.default.fileExists(atPath: path)
    wanted.create = options.createsStore
    wanted.readOnly = options.isReadOnly
    wanted.writesCoreData = options.writesCoreDataStores
    wanted.busyTimeout = options.busyTimeout
    wanted.history = options.recordsHistory
    wanted.permitsLosses = options.permitsLosses
    (self.schema, self.options) = (schema, options)
    if isNew || options.migratesStore { wanted.model = try Model(encoded: schema.model) }
    opened = try OpenStore(SQLiteStore(wanted), schema.classes)
    viewContext = ManagedObjectContext(opened, ObjectContext(store: opened.store))
  }

  /// Opens or creates the store in a file.
  ///
  /// - Throws: StoreError if it cannot be opened; PeriluneError.unfit with everything that the classes need and the
  ///   store lacks.
  public convenience init(url: URL, for schema: any ModelSchema.Type, options: Options = Options()) throws {
    try self.init(url.path(percentEncoded: false), for: schema, options: options)
  }

  /// The path of the file.
  public var path: String { opened.store.path }

  /// Called with the error of a live result that could not be updated; the next turn fetches it again.
  public var onError: (any Error) -> Void {
    get { opened.live.onError }
    set { opened.live.onError = newValue }
  }

  /// Creates a context in addition to `viewContext`.
  public func newContext() -> ManagedObjectContext {
    ManagedObjectContext(opened, ObjectContext(store: opened.store))
  }

  /// Runs `body` now, and at the end of each turn in which anything that it has read changed: properties of objects,
  /// fetched results, states.
  @discardableResult
  public func effect(_ body: @escaping () -> Void) -> Effect { Effect(turn, body) }
}
