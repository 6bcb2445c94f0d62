/// A generator that gives the same numbers for the same seed, so that a random test that fails fails again.
///
/// `PERILUNE_SEED` moves all seeds. A test that draws numbers bears the trait `.seeded`, which puts the seeds into what a
/// failure says.
public struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator with a seed.
  public init(seed: some BinaryInteger) { state = Seed.drawn(UInt64(truncatingIfNeeded: seed)) }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// The generator of programs that were kept because they found a mistake: their seeds mean these numbers.
public struct XorShift: RandomNumberGenerator {
  private var state: UInt64

  /// Creates a generator with a seed.
  public init(seed: UInt64) { state = Seed.drawn(seed) &* 0x9E37_79B9_7F4A_7C15 }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

extension RandomNumberGenerator {
  /// A number from 0 up to, but not including, `count`.
  public mutating func below(_ count: Int) -> Int { Int(next() % UInt64(max(1, count))) }

  /// Returns a random element.
  public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// Returns true once in so many times.
  public mutating func chance(oneIn count: Int) -> Bool { below(count) == 0 }
}
