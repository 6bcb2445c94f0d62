internal import LiveQueries
public import Reactive

/// The context of fetched properties, as a value of the environment.
private enum ManagedObjectContextKey: EnvironmentKey {
  static var defaultValue: ManagedObjectContext? { nil }
}

extension EnvironmentValues {
  /// The context from which fetched properties fetch.
  public var managedObjectContext: ManagedObjectContext? {
    get { self[ManagedObjectContextKey.self] }
    set {
      self[ManagedObjectContextKey.self] = newValue
      self[LiveContextKey.self] = newValue?.live
    }
  }
}
