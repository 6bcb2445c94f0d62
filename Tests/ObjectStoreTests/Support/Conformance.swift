import Modeling
import Postgres
import PostgresStorage
import Storage
import TestSupport

/// A kind of store that must keep the rules of all.
///
/// To add one, add a case and how it is opened: the suites of this target run against each.
enum Conformance: String, CaseIterable {
  case memory
  case sqlite
  case postgres

  /// The kinds that can be tried on this system.
  static var allCases: [Conformance] {
    PostgresServer.isInstalled ? [.memory, .sqlite, .postgres] : [.memory, .sqlite]
  }

  /// Whether others can write to what the tests open.
  var hasOthers: Bool { self == .postgres }

  /// Whether the store can keep a history, and take back saves.
  var keepsHistory: Bool { self != .memory }

  /// The same store once more, as another program opens it.
  func openAnother(_ store: any ObjectStore) throws -> any ObjectStore {
    guard let store = store as? PostgresStore else { throw StoreError(.notFound) }
    return try PostgresStore(PostgresOptions(try PostgresAddress(store.path)))
  }

  /// A new store with a model.
  func open(_ model: Model) throws -> any ObjectStore {
    switch self {
    case .memory: return MemoryStore(model)
    case .sqlite:
      var options = StoreOptions(path: ":memory:")
      options.model = model
      return try SQLiteStore(options)
    case .postgres: return try PostgresStore(try Self.newDatabase(model))
    }
  }

  /// How a new database becomes a store with a model.
  private static func newDatabase(_ model: Model) throws -> PostgresOptions {
    let server = try PostgresServer.shared.get()
    var options = PostgresOptions(try PostgresAddress(server.address(of: try server.makeDatabase(for: "store"))))
    (options.model, options.create) = (model, true)
    return options
  }

  /// An empty store with a model that refuses to be written.
  func openReadOnly(_ model: Model) throws -> any ObjectStore {
    switch self {
    case .memory: return MemoryStore(model, isReadOnly: true)
    case .sqlite:
      // It may go before the store: what is open stays readable.
      let folder = try TemporaryFolder()
      var options = StoreOptions(path: folder.file("shop.sqlite"))
      (options.create, options.model) = (true, model)
      try SQLiteStore(options).close()
      options.readOnly = true
      return try SQLiteStore(options)
    case .postgres:
      var options = try Self.newDatabase(model)
      try PostgresStore(options).close()
      options.isReadOnly = true
      return try PostgresStore(options)
    }
  }
}
