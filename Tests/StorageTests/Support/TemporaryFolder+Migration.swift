import Modeling
import TestSupport

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

extension TemporaryFolder {
  /// Makes a store of the old model with rows, then opens it with the new one.
  func migrated(
    _ old: Model, _ rows: String, to new: Model, permitsLosses: Bool = false
  ) throws -> SQLiteStore {
    var options = StoreOptions(path: file("store.sqlite"))
    options.create = true
    options.model = old
    let store = try SQLiteStore(options)
    try store.connection.execute(rows)
    store.close()
    options.model = new
    options.permitsLosses = permitsLosses
    return try SQLiteStore(options)
  }
}
