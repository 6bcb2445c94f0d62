internal import Foundation

/// Keys for new rows where the server has no sequence to take them from: numbers that ascend with time, and that no two
/// clients are likely to make.
enum ClientKeys {
  /// The milliseconds since 2020 in the upper bits, and 22 bits at random.
  static func next() -> Int64 {
    let milliseconds = Int64((Date().timeIntervalSince1970 - 1_577_836_800) * 1000)
    return (milliseconds << 22) | .random(in: 0..<(1 << 22))
  }
}
