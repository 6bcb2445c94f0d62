import Modeling
import Queries
import Testing

@testable import SwiftPrinting

@Suite struct SwiftPrinterTests {
  private func source(_ form: SwiftForm, _ change: (inout Queries.FetchRequest) throws -> Void) throws -> String {
    var request = Queries.FetchRequest(ProofModel.quake)
    try change(&request)
    return try SwiftPrinter(entity: ProofModel.quake).source(of: request, as: form)
  }

  @Test func aFetchRequestIsADeclarationWithItsOrderAndPredicate() throws {
    let text = try source(.fetchRequest) { request in
      request.predicate = try .parse("magnitude >= %@", arguments: [.value(.int(5))])
      request.sortDescriptors = [SortDescriptor("-time")]
    }
    #expect(
      text == #"""
        @FetchRequest(
            sortDescriptors: [SortDescriptor(\.time, order: .reverse)],
            predicate: NSPredicate(format: "magnitude >= %@", 5 as NSNumber)
        )
        private var quakes: FetchedResults<Quake>
        """#)
  }

  @Test func aRequestWithALimitIsMadeBesideTheWrapper() throws {
    let text = try source(.fetchRequest) { $0.fetchLimit = 10 }
    #expect(text.contains("    request.fetchLimit = 10\n"))
    #expect(
      text.hasSuffix("@FetchRequest(fetchRequest: Self.quakesRequest)\nprivate var quakes: FetchedResults<Quake>"))
  }

  @Test func theSectionKeyLeadsTheOrder() throws {
    let text = try source(.sectionedFetchRequest) { request in
      request.sectionIdentifier = .path(PropertyPath(["place"]))
      request.sortDescriptors = [SortDescriptor("-time")]
    }
    #expect(text.hasPrefix("@SectionedFetchRequest<String?, Quake>(\n    sectionIdentifier: \\.place,\n"))
    #expect(text.contains("SortDescriptor(\\.place, comparator: .lexical), SortDescriptor(\\.time, order: .reverse)"))
  }

  @Test func variablesMakeAnInitialiser() throws {
    let text = try source(.query) { $0.predicate = try .parse("time > $since") }
    #expect(
      text == """
        @Query private var quakes: [Quake]

        init(since: Date) {
            _quakes = Query(filter: #Predicate<Quake> { $0.time > since })
        }
        """)
  }

  @Test func aDescriptorSetsWhatItsInitialiserDoesNotTake() throws {
    let text = try source(.fetchDescriptor) { request in
      request.sortDescriptors = [SortDescriptor("-time")]
      request.fetchLimit = 3
    }
    #expect(
      text == #"""
        var descriptor = FetchDescriptor<Quake>(sortBy: [SortDescriptor(\.time, order: .reverse)])
        descriptor.fetchLimit = 3
        """#)
  }

  @Test func aTestListsMatchesMissesAndThoseOfWhichTheStoreSaysNeither() throws {
    let predicate = try Queries.Predicate.parse("depth >= 5")
    var samples = SwiftTestSamples()
    for quake in ProofObject.quakes() {
      samples.add(
        quake, isMatch: try predicate.evaluate(quake, semantics: .memory) == true,
        isNeither: try predicate.evaluate(quake) == nil)
    }
    let text = try SwiftPrinter(entity: ProofModel.quake).testSource(of: predicate, as: .macro, samples)
    #expect(text.contains("        Quake(),  // neither in the store: a nil was compared\n"))
    #expect(text.hasSuffix("#expect(answers == [true, true, true, false, false, false, false, false])\n}"))
  }
}
