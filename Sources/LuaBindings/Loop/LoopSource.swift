/// An event source of an engine's loop: a descriptor that gets input, or a periodic check.
///
///     let token = engine.loop.add(LoopSource(descriptor: { watch.descriptor }) { watch.drain() })
public struct LoopSource {
  /// Returns the descriptor to watch for input; nil if there is none now. Called before each wait.
  public var descriptor: () -> Int32?
  /// Returns the interval in seconds after which `run` is called without input, too; nil for never.
  public var interval: () -> Double?
  /// Returns the time by the loop's clock until which the source is paused, while events wait; nil if it is not paused.
  public var restsUntil: () -> Double?
  /// Handles the source. The end of its turn notifies observers of the changes that it makes.
  public var run: () -> Void

  /// Creates a source whose `run` is called when its descriptor has input, or its interval has passed.
  public init(
    descriptor: @escaping () -> Int32? = { nil }, interval: @escaping () -> Double? = { nil },
    restsUntil: @escaping () -> Double? = { nil }, run: @escaping () -> Void
  ) {
    self.descriptor = descriptor
    self.interval = interval
    self.restsUntil = restsUntil
    self.run = run
  }

  /// The end of the pause; nil if the source is not paused.
  func rest(at now: Double) -> Double? { restsUntil().flatMap { $0 > now ? $0 : nil } }
}
