import Modeling
internal import Synchronization

/// Keys for new rows if the server has no sequences. The numbers ascend with time, strictly so in one process, and two
/// clients are unlikely to make the same.
enum ClientKeys {
  private static let last = Mutex<Int64>(0)

  /// The milliseconds since 2020 in the upper bits, and 22 bits at random; one more than the last key where that is not more.
  static func next() -> Int64 {
    let world = OutsideWorld.current
    let milliseconds = Int64(max(0, world.time() - 1_577_836_800) * 1000)
    let key = (milliseconds << 22) | Int64(world.random() >> 42)
    return last.withLock { last in
      last = max(key, last + 1)
      return last
    }
  }
}
