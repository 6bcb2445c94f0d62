import Foundation
import Modeling
import Queries
import TestSupport
import Testing

@testable import SwiftPrinting

@Suite(.seeded)
struct RoundTripRequestTests {
  /// PERILUNE_LONG_TESTS=1 tries more of them.
  private static let count = Effort.isLong ? 5_000 : 150

  private static let forms: [SwiftForm] = [
    .fetchRequest, .sectionedFetchRequest, .query, .fetchDescriptor, .resultsObserver,
  ]

  private func expectSame(_ request: Queries.FetchRequest, _ variables: [String: Value], _ source: String) throws {
    let read: Queries.FetchRequest
    do {
      read = try FetchRequest(swift: source, in: ProofModel.model)
    } catch {
      Issue.record("\(error.issues.map(\.fact))\n\(source)")
      return
    }
    var (before, after) = (request, read)
    (before.predicate, after.predicate) = (nil, nil)
    // Sections are written with the order they need.
    #expect(after.inSectionOrder == before.inSectionOrder, "\(source)")
    #expect((read.predicate == nil) == (request.predicate == nil), "\(source)")
    guard let predicate = request.predicate, let other = read.predicate else { return }
    do {
      #expect(try RoundTrip.answers(other, variables) == RoundTrip.answers(predicate, variables), "\(source)\n\(other)")
    } catch {
      Issue.record("\(error)\n\(source)\n\(other)")
    }
  }

  @Test(arguments: RoundTripCorpus.common)
  func aRequestIsReadAsItWasPrinted(sample: RoundTripCorpus.Sample) throws {
    for form in Self.forms {
      var request = Queries.FetchRequest(ProofModel.quake)
      request.predicate = try sample.predicate()
      request.sortDescriptors = [SortDescriptor("-time"), SortDescriptor("code")]
      if form == .sectionedFetchRequest { request.sectionIdentifier = .path(PropertyPath(["place"])) }
      // An observer with a limit is made of a descriptor.
      for limit in form == .resultsObserver ? [nil] : [nil, 20] {
        request.fetchLimit = limit
        try expectSame(request, sample.free, try SwiftPrinter(entity: ProofModel.quake).source(of: request, as: form))
      }
    }
  }

  @Test(arguments: forms)
  func anyRequestThatHasAFormSurvivesIt(form: SwiftForm) throws {
    var generator = RoundTripRequestGenerator(seed: UInt64(form.rawValue.count))
    var compared = 0
    for _ in 0..<Self.count {
      let (request, variables) = try generator.next(for: form)
      guard let source = try? SwiftPrinter(entity: ProofModel.quake).source(of: request, as: form) else { continue }
      compared += 1
      try expectSame(request, variables, source)
    }
    #expect(compared > Self.count / 2)
  }

  @Test func thePredicateOfARequestIsPrintedAloneInTheFormsOfPredicates() throws {
    var request = Queries.FetchRequest(ProofModel.quake)
    request.predicate = try .parse("depth > %@ AND place CONTAINS 'Chile'", arguments: [.value(.double(5.5))])
    request.sortDescriptors = [SortDescriptor("-time")]
    request.fetchLimit = 3
    for form in [SwiftForm.nspredicate, .macro] {
      let source = try SwiftPrinter(entity: ProofModel.quake).source(of: request, as: form)
      try RoundTrip.expectSameAnswers(try #require(request.predicate), [:], source)
    }
  }

  @Test(arguments: forms)
  func namesThatSwiftHasWordsForAreGivenBack(form: SwiftForm) throws {
    var request = Queries.FetchRequest(ProofModel.quake)
    request.predicate = try .parse("#in == $default AND code IN $class", arguments: [])
    request.sortDescriptors = [SortDescriptor("in")]
    if form == .sectionedFetchRequest { request.sectionIdentifier = .path(PropertyPath(["in"])) }
    let values: [String: Value] = ["default": .int(2), "class": .list([.string("us1"), .string("ci3")])]
    let source = try SwiftPrinter(entity: ProofModel.quake, name: "switch").source(of: request, as: form)
    try expectSame(request, values, source)
  }
}
