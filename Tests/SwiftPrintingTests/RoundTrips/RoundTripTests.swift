import Foundation
import Modeling
import Queries
import TestSupport
import Testing

@testable import SwiftPrinting

@Suite(.seeded)
struct RoundTripTests {
  /// PERILUNE_LONG_TESTS=1 tries more of them.
  private static let count = Effort.isLong ? 20_000 : 600

  private func expectSameTree(_ predicate: Queries.Predicate, _ source: String) {
    guard let read = RoundTrip.read(source) else { return }
    #expect(read == predicate.withDateRanges, "\(source)")
    for value in predicate.givenValues {
      #expect(read.givenValues.contains(value), "\(value.debugText) is no argument of\n\(source)")
    }
  }

  @Test(arguments: RoundTripCorpus.common + RoundTripCorpus.formatOnly)
  func aPrintedNSPredicateIsReadAsTheSamePredicate(sample: RoundTripCorpus.Sample) throws {
    let predicate = try sample.predicate()
    expectSameTree(predicate, try SwiftPrinter(entity: ProofModel.quake).source(of: predicate, as: .nspredicate))
  }

  @Test(arguments: RoundTripCorpus.common)
  func aPrintedMacroIsReadAsAPredicateWithTheSameAnswers(sample: RoundTripCorpus.Sample) throws {
    let predicate = try sample.predicate()
    let source = try SwiftPrinter(entity: ProofModel.quake).source(of: predicate, as: .macro)
    try RoundTrip.expectSameAnswers(predicate, sample.free, source)
  }

  @Test func anyPredicateThatHasAFormAsNSPredicateSurvivesIt() throws {
    var generator = ProofGenerator(seed: 11)
    var compared = 0
    for number in 0..<Self.count {
      let sample = try generator.next(depth: number % 4)
      guard let source = RoundTrip.source(of: sample.predicate, as: .nspredicate) else { continue }
      compared += 1
      expectSameTree(sample.predicate, source)
    }
    // What casts to a subentity has no form.
    #expect(compared > Self.count * 8 / 10)
  }

  @Test func anyPredicateThatHasAFormAsMacroKeepsItsAnswers() throws {
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

  @Test func whatIsReadFromAMacroPrintsAsAMacroWithTheSameAnswers() throws {
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
