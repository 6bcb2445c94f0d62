internal import LuaBindings
internal import Stores

/// The store of a run, its model, and the permitted access.
package struct StoreAccess {
  /// The store's file or address; nil for a new store in memory.
  package var path: String?
  /// The file of the store's model.
  package var modelPath: String?
  /// The name of the version to read of a model that has several.
  package var modelVersion: String?
  /// Whether a missing store is created.
  package var createsStore = false
  /// Whether it could be: a hint at it stands in the error for a missing store.
  package var offersCreation = false
  /// Whether every write is refused.
  package var isReadOnly = false
  /// Whether a Core Data store is opened writable.
  package var writesCoreData = false
  /// Whether a migration to the model may lose what the model has no place for.
  package var permitsLosses = false
  /// Whether dates that files made elsewhere keep as text are read as dates.
  package var readsDateTexts = true
  /// Whether writes are shown at the end and rolled back.
  package var isDryRun = false

  package init() {}

  /// Access to a store that is only read, or to an empty store with a model where there is no path.
  package init(reading path: String?, modelPath: String? = nil, modelVersion: String? = nil) {
    (self.path, self.modelPath, self.modelVersion) = (path, modelPath, modelVersion)
    isReadOnly = path != nil
  }

  /// Opens the store, and returns the status. `isMaking` is that of `StoreOptions`.
  func open(in session: EngineSession, isMaking: Bool = true) -> Int32 {
    session.guarding {
      var options = StoreOptions(path: path ?? ":memory:")
      options.create = createsStore || path == nil
      (options.isMaking, options.offersCreation) = (isMaking, offersCreation)
      options.readOnly = isReadOnly
      options.writesCoreData = writesCoreData
      options.permitsLosses = permitsLosses
      if let modelPath { options.model = try session.loadModel(modelPath, version: modelVersion) }
      try session.engine.open(options)
      session.dryRun?.beginAgain()
    }
  }

  /// The name of the store's or the model's file without its folder and ending, or that of a database.
  func name(in session: EngineSession) -> String {
    var path = path ?? modelPath ?? "app"
    if Engine.isServer(path), let store = session.engine.store { path = String(store.path.prefix { $0 != "?" }) }
    let file = path.split(separator: "/").last ?? "app"
    return String(file.prefix { $0 != "." })
  }
}
