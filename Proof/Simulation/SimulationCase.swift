/// A run of the simulation: its seed, how many turns it has, and which of its steps are made.
///
///     SimulationCase("1789 40")              // all steps of forty turns
///     SimulationCase("1789 40 3,7,12")       // three of them: a case that was shrunk
public struct SimulationCase: Hashable, Sendable, CustomStringConvertible {
  /// What all random numbers come from.
  public let seed: UInt64
  /// The number of turns.
  public let turns: Int
  /// The numbers of the steps that are made; nil for all.
  public let steps: Set<Int>?

  /// The most steps of a turn; the steps of turn `t` have the numbers from `t * stepsPerTurn` on.
  public static let stepsPerTurn = 4

  /// Creates a case.
  public init(seed: UInt64, turns: Int, steps: Set<Int>? = nil) {
    self.seed = seed
    self.turns = turns
    self.steps = steps
  }

  /// Reads what `description` gives; nil for other texts.
  public init?(_ text: some StringProtocol) {
    let words = text.split(separator: " ")
    guard (2...3).contains(words.count), let seed = UInt64(words[0]), let turns = Int(words[1]), turns > 0 else {
      return nil
    }
    var steps: Set<Int>?
    if words.count == 3 {
      let numbers = words[2].split(separator: ",").map { Int($0) }
      guard !numbers.contains(nil) else { return nil }
      steps = Set(numbers.compactMap(\.self))
    }
    self.init(seed: seed, turns: turns, steps: steps)
  }

  /// The case as its parts in one line.
  public var description: String {
    let listed = steps.map { " " + $0.sorted().map(String.init).joined(separator: ",") } ?? ""
    return "\(seed) \(turns)\(listed)"
  }

  /// The steps of a turn that are made, as bits.
  func slots(of turn: Int) -> Int {
    guard let steps else { return 1 << Self.stepsPerTurn - 1 }
    return (0..<Self.stepsPerTurn).reduce(0) {
      steps.contains(turn * Self.stepsPerTurn + $1) ? $0 | 1 << $1 : $0
    }
  }
}
