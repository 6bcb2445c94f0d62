import Modeling

/// Keys for new rows where the server has no sequence to take them from: numbers that ascend with time, and that no two
/// clients are likely to make.
enum ClientKeys {
  /// The milliseconds since 2020 in the upper bits, and 22 bits at random.
  static func next() -> Int64 {
    let world = OutsideWorld.current
    let milliseconds = Int64(max(0, world.time() - 1_577_836_800) * 1000)
    return (milliseconds << 22) | Int64(world.random() >> 42)
  }
}
