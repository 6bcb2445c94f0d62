import TestSupport
import Testing

@testable import Modeling

@Suite(.seeded) struct ValidationTests {
  private func kinds(_ attribute: Attribute, _ value: Value) -> [Violation.Kind] {
    attribute.violations(of: value, in: "E").map(\.kind)
  }

  @Test func aMandatoryAttributeNeedsAValue() {
    var attribute = Attribute("x", .string)
    #expect(kinds(attribute, .null) == [])
    attribute.isOptional = false
    #expect(
      attribute.violations(of: .null, in: "E") == [
        Violation(entity: "E", property: "x", kind: .missingMandatory, value: .null)
      ])
    #expect(attribute.violations(of: .null)[0].code == 1570)
    #expect(kinds(attribute, .string("")) == [])
    attribute.derivation = "a + b"
    #expect(kinds(attribute, .null) == [])
  }

  @Test func boundsAreAllowedThemselves() {
    var number = Attribute("x", .integer64)
    (number.minimum, number.maximum) = (.int(0), .int(10))
    #expect([-1, 0, 10, 11].map { kinds(number, .int($0)) } == [[.numberTooSmall], [], [], [.numberTooLarge]])
    #expect(number.violations(of: .int(11))[0].bound == .int(10))

    var date = Attribute("x", .date)
    (date.minimum, date.maximum) = (.date(Timestamp(0)), .date(Timestamp(10)))
    #expect([-1, 0, 10, 11].map { kinds(date, .date(Timestamp($0))) } == [[.dateTooSoon], [], [], [.dateTooLate]])

    var decimal = Attribute("x", .decimal)
    decimal.maximum = .decimal(1)
    #expect(kinds(decimal, .decimal(2)) == [.numberTooLarge])
  }

  @Test func valuesOfAForeignKindPass() {
    var number = Attribute("x", .integer64)
    number.maximum = .int(10)
    #expect(kinds(number, .string("abc")) == [])
  }

  @Test func lengthsCountCharacters() {
    var text = Attribute("x", .string)
    (text.minimumLength, text.maximumLength) = (2, 3)
    #expect(kinds(text, .string("é")) == [.stringTooShort])
    #expect(kinds(text, .string("e\u{301}")) == [.stringTooShort])
    #expect(kinds(text, .string("👨‍👩‍👧‍👦👍🏽a")) == [])
    #expect(kinds(text, .string("abcd")) == [.stringTooLong])
    #expect(text.violations(of: .string("abcd"))[0].bound == .int(3))
  }

  @Test func aRegularExpressionMatchesTheWholeText() {
    var text = Attribute("x", .string)
    text.regularExpression = "a|ab"
    #expect(kinds(text, .string("ab")) == [])
    #expect(kinds(text, .string("abc")) == [.patternMismatch])
    #expect(kinds(text, .string("ab\n")) == [.patternMismatch])
    text.regularExpression = #"\p{L}+😀?"#
    #expect(kinds(text, .string("é😀")) == [])
  }

  @Test func severalRulesAreAllReported() {
    var text = Attribute("x", .string)
    text.maximumLength = 1
    text.regularExpression = "[0-9]*"
    #expect(kinds(text, .string("ab")) == [.stringTooLong, .patternMismatch])
  }

  @Test func elementsOfACompositeKeepTheirRules() {
    var city = Attribute("city", .string)
    city.isOptional = false
    var floor = Attribute("floor", .integer16)
    floor.maximum = .int(9)
    var address = Attribute("address", .composite)
    address.elements = [city, floor]
    let violations = address.violations(of: .json(.object(["floor": .int(10)])))
    #expect(violations.map(\.property) == ["address.city", "address.floor"])
    #expect(violations.map(\.kind) == [.missingMandatory, .numberTooLarge])
  }

  @Test func aRelationshipCountsItsObjects() {
    var many = Relationship(toMany: "items", "Item")
    (many.minimumCount, many.maximumCount) = (2, 3)
    func kinds(_ count: Int) -> [Violation.Kind] { many.violations(count: count, in: "E").map(\.kind) }
    #expect([0, 1, 2, 3, 4].map(kinds) == [[], [.tooFewObjects], [], [], [.tooManyObjects]])
    many.isOptional = false
    #expect(kinds(0) == [.tooFewObjects])
    many.minimumCount = nil
    #expect(kinds(0) == [.missingMandatory])
    var one = Relationship(toOne: "item", "Item")
    one.isOptional = false
    #expect(one.violations(count: 0).map(\.code) == [1570])
    #expect(one.violations(count: 1) == [])
  }

  @Test func anEntityKnowsTheRulesOfItsProperties() throws {
    var code = Attribute("code", .integer16)
    code.isOptional = false
    code.maximum = .int(9)
    let link = Relationship(toOne: "next", "Event")
    let model = try Model([
      EntityDescription("Quake", parent: "Event", properties: [.attribute(Attribute("place", .string))]),
      EntityDescription("Event", properties: [.attribute(code), .relationship(link)]),
    ])
    let quake = try #require(model.entity(named: "Quake"))
    #expect(quake.rules.map { $0?.attribute.name } == ["code", nil, "place"])
    let rules = try #require(quake.rules[0])
    #expect(try rules.coerce(.double(5)) == .int(5))
    #expect(rules.violations(of: .int(5)) == [])
    #expect(rules.violations(of: .null).map(\.kind) == [.missingMandatory])
    #expect(rules.violations(of: .int(10)).map(\.entity) == ["Quake"])
    let error = #expect(throws: ValueError.self) { try rules.coerce(.string("5")) }
    #expect(error?.entity == "Quake")
  }

  @Test func rulesAgreeWithTheirAttribute() throws {
    var random = SplitMix(seed: 13)
    let values: [Value] = [
      .null, .bool(true), .int(5), .int(40_000), .double(5), .double(5.5), .double(.nan), .string("x"), .data([0xFF]),
      .date(Timestamp(0)), .date(Timestamp(.nan)), .url("a"), .json(.object([:])), .list([]),
    ]
    for type in AttributeType.allCases {
      var attribute = Attribute("x", type)
      attribute.isOptional = Bool.random(using: &random)
      if type.isNumeric { attribute.maximum = .int(9) }
      let model = try Model([EntityDescription("E", properties: [.attribute(attribute)])])
      let rules = try #require(model.entities[0].rules[0])
      for value in values {
        let coerced = try? rules.coerce(value)
        #expect(coerced == (try? attribute.coerce(value)))
        guard let coerced else { continue }
        #expect(rules.violations(of: coerced) == rules.attribute.violations(of: coerced, in: "E"))
      }
    }
  }
}
