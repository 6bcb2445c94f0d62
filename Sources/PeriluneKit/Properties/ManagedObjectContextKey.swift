internal import LiveQueries
public import Reactive

/// The context of fetched properties, as a value of the environment.
private enum ManagedObjectContextKey: EnvironmentKey {
  static var defaultValue: ManagedObjectContext? { nil }
}

extension EnvironmentValues {
  /// The context from which fetched properties fetch. Where none was set, it is one without a store: what it is asked is
  /// an error, `noContext`.
  public var managedObjectContext: ManagedObjectContext {
    get { self[ManagedObjectContextKey.self] ?? .withoutStore }
    set {
      self[ManagedObjectContextKey.self] = newValue.hasStore ? newValue : nil
      self[LiveContextKey.self] = newValue.hasStore ? newValue.live : nil
    }
  }
}
