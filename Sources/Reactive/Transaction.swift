/// The information that accompanies changes to their observers: how to animate them.
public struct Transaction: Hashable, Sendable {
  /// The animation for the change; nil for none.
  public var animation: Animation?
  /// Whether observers leave out their own animations.
  public var disablesAnimations = false

  /// Creates a transaction, without an animation unless one is given.
  public init(animation: Animation? = nil) { self.animation = animation }
}
