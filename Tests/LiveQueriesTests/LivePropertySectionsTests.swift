import Modeling
import ObjectGraph
import Queries
import Reactive
import Testing

@testable import LiveQueries

/// The sections of a live property.
@Suite struct LivePropertySectionsTests {
  private let world: LiveWorld
  private let environment = Environment()

  init() throws {
    world = try LiveWorld()
    try world.sql("INSERT INTO trip (name, cost, stars) VALUES ('a', 1, 2), ('b', 2, 1), ('c', 3, 2)")
  }

  private func property(_ section: String, _ sort: [String] = []) -> LiveProperty {
    LiveProperty("Trip", in: environment) { try Self.section(&$0, section, sort) }
  }

  private static func section(_ request: inout FetchRequest, _ section: String, _ sort: [String]) throws {
    request.sectionIdentifier = try Expression.parse(section)
    request.sortDescriptors = sort.map { SortDescriptor($0) }
  }

  private func inContext<Result>(_ body: () throws -> Result) throws -> Result {
    try environment.with(\.managedObjectContext, world.live.context(world.context), body)
  }

  private func names(_ objects: some Sequence<ManagedObject>) throws -> String {
    try objects.map { if case .string(let name) = try $0.get("name") { name } else { "?" } }.joined()
  }

  private func shown(_ sections: FetchedSections) throws -> [String] {
    try sections.map { "\($0.id.displayText) \(try names($0))" }
  }

  @Test func aPropertyHasItsSectionsBesideItsObjects() throws {
    try inContext { () throws in
      let stars = property("stars", ["-cost"])
      #expect(try shown(stars.sections) == ["1 b", "2 ca"])
      #expect(stars.sections.index(of: .int(2)) == 1)
      #expect(try names(stars.objects) == "bca")
      try world.sql("UPDATE trip SET stars = 3 WHERE name = 'b'")
      #expect(try shown(stars.sections) == ["2 ca", "3 b"])
      stars.configure { $0.sortDescriptors = [SortDescriptor("-cost")] }
      #expect(stars.sections.isEmpty)
      #expect(try names(stars.objects) == "cba")
    }
  }

  @Test func sectionsAndOrderAreSetTogetherAndToldOnce() throws {
    try inContext { () throws in
      let stars = property("stars", ["stars", "name"])
      let mirror = try ResultsMirror(stars)
      defer { mirror.stop() }
      stars.configure { try Self.section(&$0, "name", ["-name"]) }
      #expect(try shown(stars.sections) == ["c c", "b b", "a a"])
      #expect(mirror.takeChanges().count == 1)
      #expect(try mirror.problems(in: world) == [])
    }
  }

  @Test func anOrderThatContradictsTheSectionsIsTheError() throws {
    try inContext { () throws in
      let stars = property("stars", ["cost", "stars"])
      #expect(stars.sections.isEmpty)
      #expect(stars.error is PredicateError)
      #expect(stars.configure { try Self.section(&$0, "stars", ["-stars", "cost"]) })
      #expect(stars.error == nil)
      #expect(try shown(stars.sections) == ["2 ac", "1 b"])
      #expect(!stars.configure { try Self.section(&$0, "stars", ["cost", "stars"]) })
      #expect(stars.error is PredicateError)
      #expect(try shown(stars.sections) == ["2 ac", "1 b"])
    }
  }

  @Test func withoutAContextThereAreNoSections() {
    let stars = property("stars")
    #expect(stars.sections.isEmpty)
    #expect(stars.sections.index(of: .int(2)) == nil)
    #expect(stars.error as? LiveQueryError == LiveQueryError(.noContext))
  }

  @Test func theLastFetchThatSucceededIsShownBesideTheError() throws {
    try inContext { () throws in
      let stars = property("stars")
      #expect(stars.objects.count == 3)
      stars.configure { $0.predicate = try Predicate.parse("price > 1") }
      #expect(stars.error is PredicateError)
      #expect(stars.objects.count == 3)
    }
  }
}
