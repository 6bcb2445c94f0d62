public import Reactive

/// The context that live properties fetch from, as a value of the environment.
public enum LiveContextKey: EnvironmentKey {
  /// None.
  public static var defaultValue: LiveContext? { nil }
}

extension EnvironmentValues {
  /// The context that live properties fetch from; nil if none is set.
  public var managedObjectContext: LiveContext? {
    get { self[LiveContextKey.self] }
    set { self[LiveContextKey.self] = newValue }
  }
}
