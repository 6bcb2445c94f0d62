import Foundation
import Synchronization
public import Testing

/// The seeds of random tests: each test names its own, and `PERILUNE_SEED` moves them all.
public enum Seed {
  /// What `PERILUNE_SEED` adds to each seed; 0 without it.
  static let shift: UInt64 = {
    guard let text = ProcessInfo.processInfo.environment["PERILUNE_SEED"] else { return 0 }
    guard let number = UInt64(text) else { fatalError("PERILUNE_SEED: expected a number from 0, found '\(text)'") }
    return number
  }()

  /// The seeds that the test that runs has drawn.
  @TaskLocal static var log: SeedLog?

  /// The seed to begin with where a test names `seed`, for a generator of another language, too.
  ///
  /// Where the test that draws it does not bear the trait `.seeded`, that is a failure: its own would not tell the seed.
  public static func drawn(_ seed: UInt64) -> UInt64 {
    if let log {
      log.add(seed)
    } else if let test = Test.current {
      Issue.record("\(test.name) draws random numbers and needs the trait .seeded, on it or on its suite")
    }
    return seed &+ shift &* 0xD1B5_4A32_D192_ED03
  }

  /// Returns the seed to use for `seed`, as an integer.
  public static func drawn(_ seed: Int) -> Int { Int(drawn(UInt64(seed)) & 0x7FFF_FFFF) }
}

/// The first seeds that a test drew.
final class SeedLog: Sendable {
  private let seeds = Mutex<[UInt64]>([])

  func add(_ seed: UInt64) { seeds.withLock { if $0.count < 8, !$0.contains(seed) { $0.append(seed) } } }

  /// What the message of a failure says of them.
  var note: String? {
    let drawn = seeds.withLock { $0.map(String.init).joined(separator: ", ") }
    return drawn.isEmpty ? nil : "The random numbers began with seed \(drawn) under PERILUNE_SEED=\(Seed.shift)."
  }
}

/// Marks a test or a suite that draws random numbers: its failures tell the seeds.
public struct SeededTrait: TestTrait, SuiteTrait, TestScoping {
  /// Creates the trait.
  public init() {}

  /// True: the trait of a suite applies to its tests.
  public var isRecursive: Bool { true }

  /// Runs a test, and adds the drawn seeds to its issues.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let log = SeedLog()
    let naming = IssueHandlingTrait.compactMapIssues { issue in
      var issue = issue
      if let note = log.note { issue.comments.append(Comment(rawValue: note)) }
      return issue
    }
    try await Seed.$log.withValue(log) {
      try await naming.provideScope(for: test, testCase: testCase, performing: function)
    }
  }
}

extension Trait where Self == SeededTrait {
  /// Reports the drawn seeds with each failure.
  public static var seeded: SeededTrait { SeededTrait() }
}
