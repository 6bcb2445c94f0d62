public import Foundation
internal import Glibc

/// What a process takes from outside and cannot compute: the time, pauses, random numbers, which descriptors have input, and which
/// other processes there are.
///
///     let simulated = OutsideWorld(time: { ... }, ...)
///     OutsideWorld.$current.withValue(simulated) { try engine.run(script, name: "@script.lua") }
///
/// The engine asks `current` for all of it. A simulation puts its own world there, and a seed then replays a run.
public final class OutsideWorld: Sendable {
  /// The seconds since 1970-01-01T00:00:00Z.
  public let time: @Sendable () -> Double
  /// The seconds of a monotonic clock.
  public let clock: @Sendable () -> Double
  /// Sleeps for a number of seconds.
  public let pause: @Sendable (Double) -> Void
  /// A random number.
  public let random: @Sendable () -> UInt64
  /// Waits for input; see `DescriptorWait.wait`.
  public let wait: @Sendable (_ descriptors: [Int32], _ seconds: Double?, _ isInterrupted: () -> Bool) -> [Int32]?
  /// The numbers of the other processes, as /proc lists them; empty on systems without it.
  public let otherProcesses: @Sendable () -> Set<Int32>

  /// The world that the engine asks: the system's, except within a simulation.
  @TaskLocal public static var current = OutsideWorld.system

  /// Creates a world of the given answers.
  public init(
    time: @escaping @Sendable () -> Double, clock: @escaping @Sendable () -> Double,
    pause: @escaping @Sendable (Double) -> Void, random: @escaping @Sendable () -> UInt64,
    wait: @escaping @Sendable ([Int32], Double?, () -> Bool) -> [Int32]?,
    otherProcesses: @escaping @Sendable () -> Set<Int32>
  ) {
    self.time = time
    self.clock = clock
    self.pause = pause
    self.random = random
    self.wait = wait
    self.otherProcesses = otherProcesses
  }

  /// The system's clocks, random numbers, descriptors and processes.
  public static let system = OutsideWorld(
    time: { seconds(of: CLOCK_REALTIME) }, clock: { seconds(of: CLOCK_MONOTONIC) },
    pause: { usleep(UInt32(clamping: Int64(min(max($0, 0), 4_000) * 1_000_000))) },
    random: { UInt64.random(in: .min ... .max) },
    wait: { DescriptorWait.waitForSystem($0, seconds: $1, isInterrupted: $2) },
    otherProcesses: {
      let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return Set(entries.compactMap { Int32($0) }).subtracting([getpid()])
    })

  private static func seconds(of clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// The seconds of a monotonic clock.
public func monotonicSeconds() -> Double { OutsideWorld.current.clock() }

/// Sleeps for a number of seconds.
public func pause(seconds: Double) { OutsideWorld.current.pause(seconds) }

extension Timestamp {
  /// The current instant.
  public static var now: Timestamp { Timestamp(OutsideWorld.current.time()) }
}

extension UUID {
  /// A new identifier of random bits (version 4).
  public static func random() -> UUID {
    let world = OutsideWorld.current
    let high = world.random() & ~0xF000 | 0x4000
    let low = world.random() & ~(0b11 << 62) | 0b10 << 62
    let bytes = [high, low].flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

extension UInt32 {
  /// A random number for the name of an unfinished file.
  public static func random() -> UInt32 { UInt32(truncatingIfNeeded: OutsideWorld.current.random()) }
}
