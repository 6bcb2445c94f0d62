/// What accompanies changes on their way to observers: how they are to be shown.
public struct Transaction: Hashable, Sendable {
  /// The name of the animation by which the change is to be shown; nil for none.
  public var animation: String?
  /// Whether animations that observers would use by themselves are to be left out.
  public var disablesAnimations = false

  /// A transaction without animation.
  public init(animation: String? = nil) { self.animation = animation }
}
