import Modeling
import Storage
import TestSupport

/// A kind of store that must keep the rules of all.
///
/// To add one, add a case and how it is opened: the suites of this target run against each.
enum Conformance: String, CaseIterable {
  case memory
  case sqlite

  /// A new store with a model.
  func open(_ model: Model) throws -> any ObjectStore {
    switch self {
    case .memory: return MemoryStore(model)
    case .sqlite:
      var options = StoreOptions(path: ":memory:")
      options.model = model
      return try SQLiteStore(options)
    }
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
    }
  }
}
