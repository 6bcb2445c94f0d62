public import Reactive

/// The context of live properties, as a value of the environment.
public enum LiveContextKey: EnvironmentKey {
  /// No context.
  public static var defaultValue: LiveContext? { nil }
}

extension EnvironmentValues {
  /// The context from which live properties fetch; nil if none is set.
  public var managedObjectContext: LiveContext? {
    get { self[LiveContextKey.self] }
    set { self[LiveContextKey.self] = newValue }
  }
}
