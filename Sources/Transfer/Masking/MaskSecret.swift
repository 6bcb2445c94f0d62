import Modeling

/// The secret from which masks are derived: without it, a masked value does not tell the original.
///
/// The same secret gives a value the same mask in each run. The hash is SipHash-2-4 with a key of 128 bits.
package struct MaskSecret: Sendable {
  private let key: (UInt64, UInt64)

  /// Makes a secret that will not be known again.
  package static func random() -> MaskSecret {
    MaskSecret(key: (OutsideWorld.current.random(), OutsideWorld.current.random()))
  }

  /// Makes the secret of a text, without the ends of lines behind it.
  ///
  /// - Throws: `.emptySecret`.
  package init(_ text: String) throws(CopyError) {
    let bytes = Array(text.utf8.reversed().drop { $0 == 10 || $0 == 13 }.reversed())
    if bytes.isEmpty { throw .emptySecret }
    let halves = [UInt64(1), 2].map { MaskSecret(key: (0x7065_7269_6C75_6E65, $0)).hash(bytes) }
    key = (halves[0], halves[1])
  }

  private init(key: (UInt64, UInt64)) { self.key = key }

  /// The hash of a number and a text.
  func hash(_ number: UInt64, _ text: String) -> UInt64 {
    var bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    bytes.append(contentsOf: text.utf8)
    return hash(bytes)
  }

  func hash(_ bytes: [UInt8]) -> UInt64 {
    var state = SipState(key)
    var word: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      word |= UInt64(byte) << UInt64(8 * (index & 7))
      if index & 7 == 7 {
        state.take(word)
        word = 0
      }
    }
    state.take(word | UInt64(truncatingIfNeeded: bytes.count) << 56)
    return state.finished()
  }
}

/// The state of SipHash-2-4.
private struct SipState {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64

  init(_ key: (UInt64, UInt64)) {
    v0 = key.0 ^ 0x736F_6D65_7073_6575
    v1 = key.1 ^ 0x646F_7261_6E64_6F6D
    v2 = key.0 ^ 0x6C79_6765_6E65_7261
    v3 = key.1 ^ 0x7465_6462_7974_6573
  }

  mutating func take(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  mutating func finished() -> UInt64 {
    v2 ^= 0xFF
    for _ in 0..<4 { round() }
    return v0 ^ v1 ^ v2 ^ v3
  }

  private mutating func round() {
    v0 = v0 &+ v1
    v2 = v2 &+ v3
    v1 = Self.rotated(v1, 13) ^ v0
    v3 = Self.rotated(v3, 16) ^ v2
    v0 = Self.rotated(v0, 32)
    v2 = v2 &+ v1
    v0 = v0 &+ v3
    v1 = Self.rotated(v1, 17) ^ v2
    v3 = Self.rotated(v3, 21) ^ v0
    v2 = Self.rotated(v2, 32)
  }

  private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }
}
