internal import Foundation
internal import Modeling
internal import ObjectGraph
internal import SQLiteStorage
internal import Stores

extension ManagedObjectContext {
  /// Whether the context has a store; the environment's has none where no context was set.
  public var hasStore: Bool { !opened.isMissing }

  /// The context without a store of the running thread.
  static var withoutStore: ManagedObjectContext {
    let threadDictionary = Thread.current.threadDictionary
    if let known = threadDictionary[key] as? ManagedObjectContext { return known }
    let opened = OpenStore.missing
    let new = ManagedObjectContext(opened, ObjectContext(store: opened.store))
    threadDictionary[key] = new
    return new
  }

  private static let key = "PeriluneKit.ManagedObjectContext"
}

extension OpenStore {
  /// An empty store in memory that answers every question with an error.
  fileprivate static var missing: OpenStore {
    do {
      var options = StoreOptions(path: ":memory:")
      // Objects that cannot be inserted are of some entity.
      options.model = try Model(encoded: #"{"entities":[{"name":"None","properties":[]}],"version":1}"#)
      return try OpenStore(SQLiteStore(options), [], isMissing: true)
    } catch {
      preconditionFailure("there is no memory for an empty store: \(error)")
    }
  }
}
