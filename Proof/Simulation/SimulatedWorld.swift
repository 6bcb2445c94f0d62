internal import CSQLite
internal import Glibc
import Modeling
import Synchronization

/// A world whose time, pauses, random numbers and file events come from a seed.
///
/// Time passes when the program pauses or waits, and by a microsecond each time that it looks at a clock. An event of a
/// descriptor may arrive late, as a loaded machine would have it. There are no other processes.
final class SimulatedWorld: Sendable {
  private struct State {
    var seconds = 0.0
    var numbers: Numbers

    mutating func tick() -> Double {
      seconds += 1e-6
      return seconds
    }
  }

  private let state: Mutex<State>

  /// Begins at a fixed moment.
  init(seed: UInt64) { state = Mutex(State(numbers: Numbers(seed))) }

  /// The time of day at which every simulation begins: 2023-11-14T22:13:20Z.
  private static let beginning = 1_700_000_000.0
  /// What passes when the program waits for an event without a limit.
  private static let longestWait = 60.0

  /// What the engine asks while it is simulated.
  var outside: OutsideWorld {
    OutsideWorld(
      time: { [self] in Self.beginning + state.withLock { $0.tick() } },
      clock: { [self] in state.withLock { $0.tick() } },
      pause: { [self] seconds in pass(seconds) },
      random: { [self] in state.withLock { $0.numbers.next() } },
      wait: { [self] descriptors, seconds, isInterrupted in
        guard let ready = OutsideWorld.system.wait(descriptors, 0, isInterrupted) else { return nil }
        let arrived = ready.filter { _ in state.withLock { $0.numbers.below(4) > 0 } }
        if arrived.isEmpty { pass(min(seconds ?? Self.longestWait, Self.longestWait)) }
        return arrived
      },
      otherProcesses: { [] })
  }

  /// Continues with the random numbers of a part of the run, so that a part that is left out does not change the others.
  func begin(part: UInt64, of seed: UInt64) { state.withLock { $0.numbers = Numbers(seed, part) } }

  /// A random number from 0 up to, but not including, `count`.
  func below(_ count: UInt64) -> UInt64 { state.withLock { $0.numbers.below(count) } }

  private func pass(_ seconds: Double) { state.withLock { $0.seconds += max(seconds, 0) } }
}

/// Numbers from a seed, for one part of a run.
struct Numbers {
  private var state: UInt64

  init(_ seed: UInt64, _ part: UInt64 = 0) { state = seed &* 0xD1B5_4A32_D192_ED03 &+ part &* 0x2545_F491_4F6C_DD1D }

  /// The next number: SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ count: UInt64) -> UInt64 { next() % count }
}

/// SQLite's own view of the outside world: its clock, its random numbers and its pauses are those of `OutsideWorld`.
enum SimulatedSQLite {
  /// Makes it the one that every connection uses which is opened from here on.
  static let isInstalled: Bool = {
    guard let system = sqlite3_vfs_find(nil) else { return false }
    let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    own.initialize(to: system.pointee)
    own.pointee.zName = UnsafePointer(strdup("outside"))
    own.pointee.xCurrentTimeInt64 = { _, time in
      // Milliseconds of the Julian calendar.
      time?.pointee = 210_866_760_000_000 + Int64(Timestamp.now.seconds * 1000)
      return SQLITE_OK
    }
    own.pointee.xCurrentTime = { _, time in
      time?.pointee = 2_440_587.5 + Timestamp.now.seconds / 86_400
      return SQLITE_OK
    }
    own.pointee.xRandomness = { _, count, bytes in
      for place in 0..<Int(count) { bytes?[place] = CChar(truncatingIfNeeded: UInt32.random()) }
      return count
    }
    own.pointee.xSleep = { _, microseconds in
      pause(seconds: Double(microseconds) / 1e6)
      return microseconds
    }
    return sqlite3_vfs_register(own, 1) == SQLITE_OK
  }()

  /// Has SQLite take new random numbers from the world.
  static func begin() {
    precondition(isInstalled, "SQLite has no file system to build on")
    sqlite3_randomness(0, nil)
  }
}
