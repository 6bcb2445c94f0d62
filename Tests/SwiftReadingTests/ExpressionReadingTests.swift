import Modeling
import Queries
import SwiftParsing
import SwiftPrinting
import Testing

/// `#Expression` by itself, read and printed.
@Suite struct ExpressionReadingTests {
  private static let model: Model = {
    let trip = EntityDescription(
      "Trip",
      properties: [
        .attribute(Attribute("name", .string)), .attribute(Attribute("cost", .double)),
        .attribute(required("nights", .integer64)),
        .relationship(Relationship(toOne: "guide", "Person", inverse: "trips")),
      ])
    let person = EntityDescription(
      "Person",
      properties: [
        .attribute(required("name", .string)), .relationship(Relationship(toMany: "trips", "Trip", inverse: "guide")),
      ])
    do {
      return try Model([trip, person])
    } catch {
      preconditionFailure("the model is wrong: \(error)")
    }
  }()

  private static func required(_ name: String, _ type: AttributeType) -> Attribute {
    var attribute = Attribute(name, type)
    attribute.isOptional = false
    return attribute
  }

  private func mistakes(_ text: String) -> [SwiftReadingError.Fact] {
    do throws(SwiftReadingError) {
      _ = try Expression(swift: text, in: Self.model)
      return []
    } catch {
      return error.issues.map(\.fact)
    }
  }

  @Test(arguments: [
    ("#Expression<Trip, Double> { $0.cost * 2 }", "cost * 2"),
    ("let double = #Expression<Trip, Double> { trip in trip.cost * 2 }", "cost * 2"),
    ("#Expression<Trip, Int> { $0.guide.trips.count }", "guide.trips.@count"),
    ("#Expression<Trip, Double> { $0.cost ?? 0 }", "TERNARY(cost != nil, cost, 0)"),
    ("#Expression<Trip, Double, Double> { trip, factor in trip.cost * factor }", "cost * $factor"),
    ("#Expression<Double, Trip, Double> { $1.cost * $0 }", "cost * $input1"),
    ("let rate = 1.5\nlet priced = #Expression<Trip, Double> { $0.cost * rate }", "cost * 1.5"),
    ("#Expression<Trip, Double> { $0.cost * rate }", "cost * $rate"),
    ("#Expression<Trip, Bool> { $0.cost < 5 }", "TERNARY(cost < 5, YES, NO)"),
    ("#Expression<Trip, Int> { $0.nights + 1 }", "nights + 1"),
    ("#Expression<Trip, String> { $0.guide.name }", "guide.name"),
  ])
  func anExpressionIsReadByItself(source: String, expected: String) throws {
    #expect(try Expression(swift: source, in: Self.model).format == expected)
  }

  @Test func whatIsWrongWithAnExpressionIsTold() {
    #expect(
      mistakes("#Expression<Trip, Double> { $0.cots * 2 }")
        == [.unknownProperty("cots", entity: "Trip", nearest: "cost")])
    #expect(mistakes("#Expression<Trip, Int> { $0.cost * 2 }") == [.otherResult("Double", declared: "Int")])
    #expect(mistakes("#Expression<Trip, String> { $0.nights }") == [.otherResult("Int", declared: "String")])
    #expect(mistakes("#Expression<Tip, Double> { $0.cost }") == [.unknownEntity("Tip", nearest: "Trip")])
    #expect(mistakes("#Predicate<Trip> { $0.cost > 5 }") == [.noExpression])
    #expect(mistakes("let a = 5") == [.noExpression])
  }

  @Test(
    arguments: [
      ("nights * 2", "#Expression<Trip, Int> { $0.nights * 2 }"),
      ("cost * 2", "#Expression<Trip, Double?> { $0.cost.flatMap { $0 * 2 } }"),
      ("guide.trips.@count", nil), ("length(name)", "#Expression<Trip, Int?> { $0.name?.count }"),
      ("guide.name", "#Expression<Trip, String?> { $0.guide?.name }"),
      ("TERNARY(nights < 5, YES, NO)", "#Expression<Trip, Bool> { $0.nights < 5 }"), ("year(name)", nil),
    ] as [(String, String?)])
  func anExpressionIsPrintedAsAMacro(text: String, expected: String?) throws {
    let printer = SwiftPrinter(entity: Self.model.entity(named: "Trip"))
    let expression = try Expression.parse(text)
    guard let expected else {
      _ = try? printer.source(of: expression, as: .macro)
      return
    }
    #expect(try printer.source(of: expression, as: .macro) == expected)
  }

  @Test func anExpressionIsPrintedForObjectiveC() throws {
    let printer = SwiftPrinter(entity: Self.model.entity(named: "Trip"))
    #expect(
      try printer.source(of: Expression.parse("nights * 2 + 1"), as: .nsexpression)
        == #"NSExpression(format: "nights * 2 + 1")"#)
    #expect(throws: SwiftPrintingError.self) {
      try printer.source(of: Expression.parse("year(name)"), as: .nsexpression)
    }
  }
}
