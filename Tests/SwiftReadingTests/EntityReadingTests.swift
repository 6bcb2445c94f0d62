import Modeling
import Queries
import SwiftParsing
import SwiftPrinting
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
        trip, person,
        EntityDescription("BusinessTrip", parent: "Trip", properties: [.attribute(Attribute("perdiem", .double))]),
        EntityDescription("Congress", parent: "BusinessTrip", properties: [.attribute(Attribute("talks", .integer64))]),
        EntityDescription("Expert", parent: "Person", properties: [.attribute(Attribute("field", .string))]),
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
    ("($0 as? Congress)?.talks == 3", #"CAST(SELF, "Congress").talks == 3"#),
    ("($0 as! Congress).talks == 3", #"CAST(SELF, "Congress").talks == 3"#),
    ("!(($0 as? Congress)?.talks == 3)", #"NOT CAST(SELF, "Congress").talks == 3"#),
    ("($0 as? Trip)?.cost == 3", "cost == 3"),
    ("($0.guide as? Expert)?.field == \"x\"", #"CAST(guide, "Expert").field == "x""#),
    ("($0.guide as? Expert)?.field?.contains(\"x\") == true", #"CAST(guide, "Expert").field CONTAINS "x""#),
    (
      "if let business = $0 as? BusinessTrip { business.perdiem > 50 } else { false }",
      #"entityName(SELF) IN {"BusinessTrip", "Congress"} AND CAST(SELF, "BusinessTrip").perdiem > 50"#
    ),
    (
      "if let congress = $0 as? Congress { congress.talks > 5 } else { $0.cost > 9 }",
      #"entityName(SELF) == "Congress" AND CAST(SELF, "Congress").talks > 5 OR NOT entityName(SELF) == "Congress" AND cost > 9"#
    ),
    ("($0 as? Congress) == nil", #"NOT entityName(SELF) == "Congress""#),
    ("($0.guide as? Expert) != nil", #"entityName(guide) == "Expert""#),
    (
      "($0 as? Congress)?.talks ?? 0 > 3",
      #"TERNARY(CAST(SELF, "Congress").talks != nil, CAST(SELF, "Congress").talks, 0) > 3"#
    ),
    (
      "(($0 as? Congress)?.guide?.trips.isEmpty) ?? true",
      #"NOT entityName(SELF) == "Congress" OR CAST(SELF, "Congress").guide == nil OR CAST(SELF, "Congress").guide.trips.@count == 0"#
    ),
    (
      "($0 as? Congress).flatMap { $0.talks > 3 } ?? false", #"CAST(SELF, "Congress").talks > 3"#
    ),
    (
      "$0.guide.flatMap { ($0 as? Expert)?.field == \"x\" } ?? false", #"CAST(guide, "Expert").field == "x""#
    ),
  ])
  func asGivesWhatOnlyASubentityHas(body: String, expected: String) throws {
    #expect(try format("#Predicate<Trip> { \(body) }") == expected)
  }

  @Test func elementsAreTakenAsOnesOfASubentity() throws {
    #expect(
      try format("#Predicate<Person> { $0.trips.contains { ($0 as? Congress)?.talks == 3 } }")
        == #"ANY CAST(trips, "Congress").talks == 3"#)
    #expect(
      try format("#Predicate<Person> { $0.trips.filter { ($0 as? Congress)?.talks == 3 && $0.cost > 1 }.count > 2 }")
        == #"SUBQUERY(trips, $x, CAST($x, "Congress").talks == 3 AND $x.cost > 1).@count > 2"#)
    #expect(
      mistakes("#Predicate<Trip> { ($0 as? Congres)?.talks == 3 }")
        == [.unknownSubentity("Congres", of: "Trip", nearest: "Congress")])
    #expect(
      mistakes("#Predicate<Trip> { ($0 as? Congress)?.talk == 3 }")
        == [.unknownProperty("talk", entity: "Congress", nearest: "talks")])
  }

  @Test(arguments: [
    "$0 is BusinessTrip", "!($0 is Congress)", "($0 as? Congress)?.talks == 3", "($0.guide as? Expert)?.field == \"x\"",
    "($0 as? BusinessTrip)?.perdiem == 5", "$0.guide is Expert",
    "$0 is Congress && $0.cost == 5",
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
