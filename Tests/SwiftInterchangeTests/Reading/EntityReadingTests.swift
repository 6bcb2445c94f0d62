import Modeling
import Queries
import SwiftInterchange
import Testing

/// `is` asks for the entity of an object, and `#Expression` is a part of a predicate.
@Suite struct EntityReadingTests {
  private static let model: Model = {
    var trip = EntityDescription(
      "Trip", properties: [.attribute(Attribute("name", .string)), .attribute(Attribute("cost", .double))])
    trip.properties.append(.relationship(Relationship(toOne: "guide", "Person", inverse: "trips")))
    var person = EntityDescription("Person", properties: [.attribute(Attribute("name", .string))])
    person.properties.append(.relationship(Relationship(toMany: "trips", "Trip", inverse: "guide")))
    do {
      return try Model([
        trip, person, EntityDescription("BusinessTrip", parent: "Trip"),
        EntityDescription("Congress", parent: "BusinessTrip"), EntityDescription("Expert", parent: "Person"),
      ])
    } catch {
      preconditionFailure("the model is wrong: \(error)")
    }
  }()

  private func format(_ text: String) throws -> String { try Predicate(swift: text, in: Self.model).format }

  private func mistakes(_ text: String) -> [SwiftReadingError.Fact] {
    do throws(SwiftReadingError) {
      _ = try Predicate(swift: text, in: Self.model)
      return []
    } catch {
      return error.issues.map(\.fact)
    }
  }

  @Test(arguments: [
    ("#Predicate<Trip> { $0 is BusinessTrip }", #"entityName(SELF) IN {"BusinessTrip", "Congress"}"#),
    ("#Predicate<Trip> { $0 is Congress }", #"entityName(SELF) == "Congress""#),
    ("#Predicate<Trip> { !($0 is Congress) }", #"NOT entityName(SELF) == "Congress""#),
    ("#Predicate<Trip> { trip in trip.guide is Expert }", #"entityName(guide) == "Expert""#),
    (
      "#Predicate<Trip> { !($0.guide is Expert) }", #"NOT (guide != nil AND entityName(guide) == "Expert")"#
    ),
    (
      "#Predicate<Person> { $0.trips.contains { $0 is Congress } }",
      #"SUBQUERY(trips, $x, entityName($x) == "Congress").@count != 0"#
    ),
  ])
  func isAsksForAnEntityAndAllThatInheritFromIt(source: String, expected: String) throws {
    #expect(try format(source) == expected)
  }

  @Test(arguments: [
    "$0 is BusinessTrip", "!($0 is Congress)", "$0.guide is Expert", "$0 is Congress && $0.cost == 5",
    "$0.name == \"x\" || !($0 is BusinessTrip)",
  ])
  func whatIsReadIsPrintedAgain(body: String) throws {
    let trip = try #require(Self.model.entity(named: "Trip"))
    let predicate = try Predicate(swift: "#Predicate<Trip> { \(body) }", in: Self.model)
    let source = try SwiftPrinter(entity: trip).source(of: predicate, as: .macro)
    #expect(try Predicate(swift: source, in: Self.model) == predicate, "\(source)")
  }

  @Test func appleIsAskedForEntityDescriptions() throws {
    func source(_ text: String) throws -> String {
      try SwiftPrinter(entity: Self.model.entity(named: "Trip")).source(of: Predicate.parse(text), as: .nspredicate)
    }
    #expect(
      try source("entityName(SELF) == 'Congress'") == "NSPredicate(format: \"entity == %@\", Congress.entity())")
    #expect(
      try source("entityName(guide) IN {'Person', 'Expert'} AND cost > 5")
        == #"NSPredicate(format: "guide.entity IN %@ AND cost > 5", [Person.entity(), Expert.entity()])"#)
    #expect(
      try format(#"NSPredicate(format: "NOT guide.entity IN %@", [Person.entity(), Expert.entity()])"#)
        == #"NOT entityName(guide) IN {"Person", "Expert"}"#)
    #expect(
      try format(#"NSPredicate(format: "SUBQUERY(trips, $t, $t.entity == %@).@count > 0", Congress.entity())"#)
        == #"SUBQUERY(trips, $t, entityName($t) == "Congress").@count > 0"#)
    #expect(throws: SwiftPrintingError.self) { try source("entityName(SELF) BEGINSWITH 'C'") }
  }

  @Test func aNameThatNothingInTheFamilyHasIsRefusedWithTheNearest() {
    #expect(
      mistakes("#Predicate<Trip> { $0 is Congres }")
        == [.unknownSubentity("Congres", of: "Trip", nearest: "Congress")])
    #expect(
      mistakes("#Predicate<Trip> { $0 is Expert }")
        == [.unknownSubentity("Expert", of: "Trip", nearest: nil)])
  }

  // MARK: #Expression

  @Test(arguments: [
    (
      "let double = #Expression<Trip, Double> { $0.cost * 2 }\n#Predicate<Trip> { double.evaluate($0) > 5 }",
      "cost * 2 > 5"
    ),
    (
      "let busy = #Expression<Person, Int> { $0.trips.filter { $0.cost > 3 }.count }\n"
        + "let p = #Predicate<Trip> { trip in busy.evaluate(trip.guide!) >= 2 && trip.cost > 1 }",
      "SUBQUERY(guide.trips, $x, $x.cost > 3).@count >= 2 AND cost > 1"
    ),
    (
      "let sum = #Expression<Double, Double, Double> { a, b in a + b }\n"
        + "#Predicate<Trip> { sum.evaluate($0.cost, 1) < 9 }", "cost + 1 < 9"
    ),
    (
      "let cheap = #Expression<Trip, Bool> { $0.cost < 5 }\n#Predicate<Trip> { !cheap.evaluate($0) }",
      "NOT cost < 5"
    ),
  ])
  func anExpressionIsEvaluatedWithinAPredicate(source: String, expected: String) throws {
    #expect(try format(source) == expected)
  }

  @Test func theMistakesOfAnExpressionAreItsOwn() {
    #expect(
      mistakes(
        "let e = #Expression<Trip, Double> { $0.cots * 2 }\nlet p = #Predicate<Trip> { e.evaluate($0) > 5 }"
      ).first == .unknownProperty("cots", entity: "Trip", nearest: "cost"))
    #expect(
      mistakes("let e = #Expression<Tip, Double> { $0.cost }\n#Predicate<Trip> { $0.cost > 5 }")
        == [.unknownEntity("Tip", nearest: "Trip")])
    #expect(mistakes("let e = #Expression<Trip, Double> { $0.cost }") == [.noPredicate])
  }
}
