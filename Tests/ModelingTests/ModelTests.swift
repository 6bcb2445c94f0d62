import Testing

@testable import Modeling

@Suite struct ModelTests {
  private func attribute(_ type: AttributeType, _ change: (inout Attribute) -> Void) throws -> Attribute? {
    var attribute = Attribute("x", type)
    change(&attribute)
    let model = try Model([EntityDescription("E", properties: [.attribute(attribute)])])
    return model.entities[0].attributes.first
  }

  private func fact(_ type: AttributeType, _ change: (inout Attribute) -> Void) -> ModelError.Fact? {
    let error = #expect(throws: ModelError.self) { try attribute(type, change) }
    #expect(error?.entity == "E")
    #expect(error?.property == "x")
    return error?.fact
  }

  @Test func defaultsAndBoundsBecomeTheAttributesOwnKind() throws {
    let number = try attribute(.double) {
      $0.defaultValue = .int(0)
      $0.minimum = .int(-1)
      $0.maximum = .double(1)
    }
    #expect(number?.defaultValue == .double(0))
    #expect(number?.minimum == .double(-1))
  }

  @Test func aDefaultMustFitTypeAndRules() {
    #expect(
      fact(.integer64) { $0.defaultValue = .string("5") } == .wrongDefault(.string("5"), expected: .integer64))
    #expect(
      fact(.integer64) {
        $0.defaultValue = .int(5)
        $0.maximum = .int(4)
      } == .invalidOption("default", reason: "it breaks the attribute's own rules"))
  }

  @Test func aBoundMustFitTheType() {
    #expect(fact(.integer16) { $0.maximum = .int(40_000) } == .wrongBound(.int(40_000), expected: .integer16))
    #expect(fact(.string) { $0.minimum = .int(1) } == .invalidOption("min", reason: "String has no order of magnitude"))
    #expect(
      fact(.date) {
        $0.minimum = .date(Timestamp(1))
        $0.maximum = .date(Timestamp(0))
      } == .invalidOption("min", reason: "it is larger than max"))
  }

  @Test func lengthsAndPatternsAreForText() {
    #expect(fact(.string) { $0.minimumLength = -1 } == .invalidCount(minimum: -1, maximum: .max))
    #expect(
      fact(.string) {
        $0.minimumLength = 3
        $0.maximumLength = 2
      } == .invalidCount(minimum: 3, maximum: 2))
    #expect(fact(.string) { $0.regularExpression = "a)(b" } == .invalidRegularExpression("a)(b"))
    #expect(
      fact(.integer64) { $0.maximumLength = 2 } == .invalidOption("maxLength", reason: "Integer64 is not a text type"))
  }

  @Test func elementsAreForCompositesAndChecked() {
    let wrong = #expect(throws: ModelError.self) {
      try attribute(.composite) {
        var element = Attribute("y", .boolean)
        element.defaultValue = .int(1)
        $0.elements = [element]
      }
    }
    #expect(wrong?.property == "x.y")
    #expect(
      fact(.string) { $0.elements = [Attribute("y", .string)] }
        == .invalidOption("elements", reason: "String is no Composite"))
  }

  @Test func countsAreForToManys() {
    var one = Relationship(toOne: "r", "E")
    one.maximumCount = 2
    let error = #expect(throws: ModelError.self) {
      try Model([EntityDescription("E", properties: [.relationship(one)])])
    }
    #expect(error?.fact == .invalidOption("maxCount", reason: "a to-one leads to one object"))
  }

  @Test func subentitiesShareTheIndicesOfTheirParent() throws {
    let model = try Model([
      EntityDescription("Car", parent: "Vehicle", properties: [.attribute(Attribute("doors", .integer16))]),
      EntityDescription("Vehicle", properties: [.attribute(Attribute("name", .string))]),
    ])
    let (car, vehicle) = (try #require(model.entity(named: "Car")), try #require(model.entity(named: "Vehicle")))
    #expect(model.entities == [car, vehicle])
    #expect(car.properties.map(\.name) == ["name", "doors"])
    #expect(car.isKind(of: vehicle) && !vehicle.isKind(of: car))
    #expect(vehicle.family == [vehicle, car])
    #expect(car.root == vehicle)
  }

  @Test func aModelThatNobodyKeepsIsGone() throws {
    weak var vehicle: Entity?
    do {
      let link = Relationship(toMany: "others", "Vehicle")
      let model = try Model([
        EntityDescription("Vehicle", properties: [.relationship(link)]), EntityDescription("Car", parent: "Vehicle"),
      ])
      vehicle = model.entity(named: "Vehicle")
      #expect(vehicle?.subentities.map(\.name) == ["Car"])
    }
    #expect(vehicle == nil)
  }

  @Test func theOnlyCandidateIsTheInverse() throws {
    let model = try Model([
      EntityDescription("Quake", properties: [.relationship(Relationship(toMany: "reports", "Report"))]),
      EntityDescription("Report", properties: [.relationship(Relationship(toOne: "quake", "Quake"))]),
    ])
    #expect(model.entities[0].inverse(at: 0) == 0)
    #expect(model.entities[1].inverse(at: 0) == 0)
    #expect(model.entities[1].destination(at: 0) == model.entities[0])
  }

  private func toOne(_ name: String, _ destination: String, _ inverse: String? = nil) -> Property {
    .relationship(Relationship(toOne: name, destination, inverse: inverse))
  }

  private func toMany(_ name: String, _ destination: String, _ inverse: String? = nil) -> Property {
    .relationship(Relationship(toMany: name, destination, inverse: inverse))
  }

  /// The inverses of a model's relationships, by their entities and names.
  private func inverses(_ descriptions: [EntityDescription]) throws -> [String: String] {
    let model = try Model(descriptions)
    var found: [String: String] = [:]
    for entity in model.entities {
      for (index, property) in entity.properties.enumerated() where property.relationship != nil {
        guard let inverse = entity.inverse(at: index) else { continue }
        let destination = entity.destination(at: index)
        found["\(entity.name).\(property.name)"] = "\(destination.name).\(destination.properties[inverse].name)"
      }
    }
    return found
  }

  @Test func whatLeadsOnlyToASubentityIsNoInverse() throws {
    // A boss is a manager, and a manager has a boss as every person has one.
    #expect(
      try inverses([
        EntityDescription("Person", properties: [toOne("boss", "Manager")]),
        EntityDescription("Manager", parent: "Person"),
      ]).isEmpty)
    #expect(
      try inverses([
        EntityDescription("A", properties: [toOne("b", "C")]), EntityDescription("B", properties: [toOne("a", "A")]),
        EntityDescription("C", parent: "B"),
      ]).isEmpty)
    // A boat has an owner, and is none of the owner's cars.
    let vehicles = [
      EntityDescription("Vehicle", properties: [toOne("owner", "Person")]), EntityDescription("Car", parent: "Vehicle"),
      EntityDescription("Boat", parent: "Vehicle"),
    ]
    #expect(try inverses(vehicles + [EntityDescription("Person", properties: [toMany("cars", "Car")])]).isEmpty)
    #expect(
      try inverses(vehicles + [EntityDescription("Person", properties: [toMany("vehicles", "Vehicle")])]) == [
        "Vehicle.owner": "Person.vehicles", "Car.owner": "Person.vehicles", "Boat.owner": "Person.vehicles",
        "Person.vehicles": "Vehicle.owner",
      ])
  }

  @Test func anInverseIsNotGuessedWhereTwoArePossible() throws {
    let station = EntityDescription("Station", properties: [toMany("quakes", "Quake")])
    let two = [toOne("first", "Station"), toOne("last", "Station")]
    #expect(try inverses([station, EntityDescription("Quake", properties: two)]).isEmpty)
    // A name decides for those that it names, and leaves the others alone.
    let named = [toOne("first", "Station"), toOne("last", "Station", "ended")]
    let both = EntityDescription("Station", properties: [toMany("quakes", "Quake"), toMany("ended", "Quake")])
    #expect(
      try inverses([both, EntityDescription("Quake", properties: named)]) == [
        "Quake.last": "Station.ended", "Station.ended": "Quake.last",
      ])
    // Of two relationships of an entity to itself, either may be symmetric.
    #expect(
      try inverses([EntityDescription("Person", properties: [toOne("boss", "Person"), toMany("staff", "Person")])])
        .isEmpty)
    #expect(
      try inverses([
        EntityDescription("Person", properties: [toOne("boss", "Person", "staff"), toMany("staff", "Person")])
      ]) == ["Person.boss": "Person.staff", "Person.staff": "Person.boss"])
  }

  @Test func everyInverseHasItsInverse() throws {
    // All models of three entities, of which one inherits from another, with two relationships.
    let names = ["A", "B", "C"]
    for (from, to) in names.flatMap({ from in names.map { (from, $0) } }) {
      for (second, third) in names.flatMap({ second in names.map { (second, $0) } }) {
        for isToMany in [false, true] {
          var descriptions = [EntityDescription("A"), EntityDescription("B"), EntityDescription("C", parent: "B")]
          let x = isToMany ? toMany("x", to) : toOne("x", to)
          descriptions[names.firstIndex(of: from)!].properties.append(x)
          descriptions[names.firstIndex(of: second)!].properties.append(toOne("y", third))
          let model = try Model(descriptions)
          for entity in model.entities {
            for index in (entity.parent?.properties.count ?? 0)..<entity.properties.count {
              guard let inverse = entity.inverse(at: index) else { continue }
              let destination = entity.destination(at: index)
              #expect(destination.inverse(at: inverse) == index && destination.destination(at: inverse) === entity)
            }
          }
        }
      }
    }
  }

  @Test func aNamedInverseMustLeadBackFromEveryObject() {
    func fact(_ descriptions: [EntityDescription]) -> ModelError.Fact? {
      #expect(throws: ModelError.self) { try Model(descriptions) }?.fact
    }
    #expect(
      fact([
        EntityDescription("Person", properties: [toOne("boss", "Manager", "boss")]),
        EntityDescription("Manager", parent: "Person"),
      ]) == .inverseMismatch("boss", destination: "Manager"))
    #expect(
      fact([
        EntityDescription("A", properties: [toOne("b", "C", "a")]),
        EntityDescription("B", properties: [toOne("a", "A")]),
        EntityDescription("C", parent: "B"),
      ]) == .inverseMismatch("a", destination: "C"))
  }

  @Test func contradictionsNameThePlaceAndTheNearestName() {
    func fact(_ descriptions: [EntityDescription]) -> ModelError.Fact? {
      #expect(throws: ModelError.self) { try Model(descriptions) }?.fact
    }
    let quake = EntityDescription("Quake", properties: [.attribute(Attribute("code", .string))])
    #expect(fact([quake, quake]) == .duplicateEntity)
    #expect(fact([EntityDescription("")]) == .invalidName(""))
    #expect(fact([quake, EntityDescription("Big", parent: "Quak")]) == .unknownParent("Quak", nearest: "Quake"))
    #expect(
      fact([EntityDescription("B", parent: "A"), EntityDescription("A", parent: "X")])
        == .unknownParent("X", nearest: nil))
    #expect(fact([EntityDescription("A", parent: "B"), EntityDescription("B", parent: "A")]) == .inheritanceCycle)
    #expect(
      fact([quake, EntityDescription("Big", parent: "Quake", properties: quake.properties)]) == .duplicateProperty)
    let lost = EntityDescription("R", properties: [.relationship(Relationship(toOne: "q", "Quack"))])
    #expect(fact([quake, lost]) == .unknownDestination("Quack", nearest: "Quake"))
    let mistaken = EntityDescription("R", properties: [.relationship(Relationship(toOne: "q", "Quake", inverse: "r"))])
    #expect(fact([quake, mistaken]) == .unknownInverse("r", destination: "Quake", nearest: nil))
    var indexed = quake
    indexed.indexes = [["cod"]]
    #expect(fact([indexed]) == .unknownProperty("cod", within: "indexes", nearest: "code"))
  }

}
