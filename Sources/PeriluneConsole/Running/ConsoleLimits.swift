/// How much a script may take.
public struct ConsoleLimits: Hashable, Sendable {
  /// The longest time that a script or a line runs, in seconds.
  public var seconds = 5.0
  /// The most memory of Lua and of the values that it holds, in bytes.
  public var memory = 256 << 20

  /// Creates limits of five seconds and 256 MB.
  public init() {}
}
