import class Foundation.ProcessInfo

/// A small deterministic generator, so that a failing fuzz test fails again.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(next() % UInt64(elements.count))] }

  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(max(1, count))) }

  mutating func chance(_ one: Int) -> Bool { below(one) == 0 }
}

/// How long generated tests run: PERILUNE_LONG_TESTS=1 lets them run for minutes.
enum Effort {
  static let isLong = ProcessInfo.processInfo.environment["PERILUNE_LONG_TESTS"] != nil

  static func rounds(_ usual: Int) -> Int { isLong ? usual * 60 : usual }
}
