/// Something that an engine's loop attends to beside timers: a descriptor that gets input, or a question asked now and then.
///
///     let token = engine.addLoopSource(LoopSource(descriptor: { watch.descriptor }) { watch.drain() })
public struct LoopSource {
  /// The descriptor that is watched for input; nil if there is none now. Asked before each wait.
  public var descriptor: () -> Int32?
  /// After how many seconds since the last time `run` is called without input, too; nil for never.
  public var interval: () -> Double?
  /// The time by the loop's clock before which the source rests: what comes meanwhile waits; nil if it does not rest.
  public var restsUntil: () -> Double?
  /// Handles the source. The end of its turn notifies observers of the changes that it makes.
  public var run: () -> Void

  /// A source that is run when its descriptor has input, or its interval is over.
  public init(
    descriptor: @escaping () -> Int32? = { nil }, interval: @escaping () -> Double? = { nil },
    restsUntil: @escaping () -> Double? = { nil }, run: @escaping () -> Void
  ) {
    self.descriptor = descriptor
    self.interval = interval
    self.restsUntil = restsUntil
    self.run = run
  }

  /// When the rest ends; nil if the source does not rest.
  func rest(at now: Double) -> Double? { restsUntil().flatMap { $0 > now ? $0 : nil } }
}
