import Foundation
import Modeling
import Queries
import Testing

@testable import SwiftInterchange

@Suite("Printed predicates, read back")
struct RoundTripTests {
  /// PERILUNE_LONG_TESTS=1 tries more of them.
  private static let count = ProcessInfo.processInfo.environment["PERILUNE_LONG_TESTS"] == nil ? 600 : 20_000

  private func expectSameTree(_ predicate: Queries.Predicate, _ source: String) {
    guard let read = RoundTrip.read(source) else { return }
    #expect(read == predicate.withDateRanges, "\(source)")
    for value in predicate.givenValues {
      #expect(read.givenValues.contains(value), "\(value.debugText) is no argument of\n\(source)")
    }
  }

  @Test(
    "a printed NSPredicate is read as the same predicate",
    arguments: RoundTripCorpus.common + RoundTripCorpus.formatOnly)
  func format(sample: RoundTripCorpus.Sample) throws {
    let predicate = try sample.predicate()
    expectSameTree(predicate, try SwiftPrinter(entity: ProofModel.quake).source(of: predicate, as: .nspredicate))
  }

  @Test("a printed macro is read as a predicate with the same answers", arguments: RoundTripCorpus.common)
  func macro(sample: RoundTripCorpus.Sample) throws {
    let predicate = try sample.predicate()
    let source = try SwiftPrinter(entity: ProofModel.quake).source(of: predicate, as: .macro)
    try RoundTrip.expectSameAnswers(predicate, sample.free, source)
  }

  @Test("any predicate that has a form as NSPredicate survives it")
  func anyFormat() throws {
    var generator = ProofGenerator(seed: 11)
    var compared = 0
    for number in 0..<Self.count {
      let sample = try generator.next(depth: number % 4)
      guard let source = RoundTrip.source(of: sample.predicate, as: .nspredicate) else { continue }
      compared += 1
      expectSameTree(sample.predicate, source)
    }
    #expect(compared > Self.count * 9 / 10)
  }

  @Test("any predicate that has a form as macro keeps its answers")
  func anyMacro() throws {
    var generator = ProofGenerator(seed: 12)
    var compared = 0
    for number in 0..<Self.count {
      let sample = try generator.next(depth: number % 4)
      guard let source = RoundTrip.source(of: sample.predicate, as: .macro) else { continue }
      compared += 1
      try RoundTrip.expectSameAnswers(sample.predicate, sample.variables, source)
    }
    #expect(compared > Self.count * 8 / 10)
  }

  @Test("what is read from a macro prints as a macro with the same answers")
  func again() throws {
    var generator = ProofGenerator(seed: 13)
    var compared = 0
    for number in 0..<Self.count / 3 {
      let sample = try generator.next(depth: number % 3)
      guard let source = RoundTrip.source(of: sample.predicate, as: .macro), let read = RoundTrip.read(source),
        let second = RoundTrip.source(of: read, as: .macro)
      else { continue }
      compared += 1
      try RoundTrip.expectSameAnswers(sample.predicate, sample.variables, second)
    }
    #expect(compared > Self.count / 5)
  }
}
