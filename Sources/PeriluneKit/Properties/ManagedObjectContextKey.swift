internal import LiveQueries
public import Reactive

/// The context that fetched properties fetch from, as a value of the environment.
private enum ManagedObjectContextKey: EnvironmentKey {
  static var defaultValue: ManagedObjectContext? { nil }
}

extension EnvironmentValues {
  /// The context that fetched properties fetch from.
  public var managedObjectContext: ManagedObjectContext? {
    get { self[ManagedObjectContextKey.self] }
    set {
      self[ManagedObjectContextKey.self] = newValue
      self[LiveContextKey.self] = newValue?.live
    }
  }
}
