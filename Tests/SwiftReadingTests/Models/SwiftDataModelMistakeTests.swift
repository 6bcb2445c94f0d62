import Modeling
import Queries
import SwiftParsing
import SwiftPrinting
import TestSupport
import Testing

/// A mistake is an error with its place and the nearest right name.
@Suite(.seeded) struct SwiftDataModelMistakeTests {
  @Test(arguments: [
    ("class Quake {}", "class Quake {}", SwiftReadingError.Fact.noModel),
    ("@Model class Q { var a: Strng }", "Strng", .unknownType("Strng", nearest: "String")),
    ("@Model class Q { var a: [Repot] }\n@Model class Report {}", "Repot", .unknownType("Repot", nearest: "Report")),
    ("@Model class Big: Quak {}\n@Model class Quake {}", "Quak", .unknownType("Quak", nearest: "Quake")),
    (
      "@Model class Q { @Attribute(.uniqe) var a: Int }", ".uniqe",
      .unknownArgument(".uniqe", of: "@Attribute", nearest: ".unique")
    ),
    (
      "@Model class Q { @Relationship(deletRule: .cascade) var a: Q? }", ".cascade",
      .unknownArgument("deletRule:", of: "@Relationship", nearest: "deleteRule:")
    ),
    (
      "@Model class Q { @Relationship(deleteRule: .casade) var a: Q? }", ".casade",
      .unknownArgument(".casade", of: "deleteRule", nearest: ".cascade")
    ),
    (
      "@Model class Q { @Relationship(deleteRule: .deny) var a: Int }", "@Relationship(deleteRule: .deny)",
      .notARelationship("a")
    ),
    (
      "@Model class Q {\n #Index<Q>([\\.tme])\n var time: Date }", "\\.tme",
      .unknownProperty("tme", entity: "Q", nearest: "time")
    ),
    ("@Model class Q {\n #Unique<P>([\\.a])\n var a: Int }", "#Unique<P>([\\.a])", .wrongEntity("P", expected: "Q")),
    ("@Model class Q { var a: Int = \"x\" }", "\"x\"", .wrongDefault("\"x\"", expected: "Integer64")),
    ("@Model class Q { var a = make() }", "var a = make()", .unknownTypeOfProperty("a")),
    (
      "@Model class Q { @Relationship(inverse: \\P.q) var q: Q? }\n@Model class P { var q: Q? }", "\\P.q",
      .wrongEntity("P", expected: "Q")
    ),
    (
      "@Model class Q { @Relationship(inverse: \\P.qs) var p: P? }\n@Model class P { var q: Q? }",
      "@Relationship(inverse: \\P.qs) var p: P?",
      .model(
        ModelError(entity: "Q", property: "p", .unknownInverse("qs", destination: "P", nearest: "q")))
    ),
    ("@Model class Q {}\n@Model class Q {}", "Q", .severalTypes("Q")),
    ("@Model class A: B {}\n@Model class B: A {}", "A", .model(ModelError(entity: "A", .inheritanceCycle))),
  ])
  func aMistakeIsToldAtItsPlaceWithTheNearestName(text: String, place: String, fact: SwiftReadingError.Fact) {
    let found = SwiftReadingError.mistakes(text)
    #expect(found.map(\.0) == [fact])
    #expect(found.first?.1 == place)
  }

  @Test func changedSourcesAreSurvived() throws {
    var random = SplitMix(seed: 14)
    var generator = ModelGenerator(seed: 15, isSayable: false)
    let pieces = [
      "{", "}", "(", ")", "[", "]", "<", ">", "@", "@Model ", "class ", "enum ", "struct ", "case ", "var ", ": ",
      " = ",
      "\\.", "#Index", ".", "?", "\"", "/*", "\n", "é", "5", "Optional<", "Array<", "[String:", "inverse: ", "-", "$0",
    ]
    for _ in 0..<Effort.rounds(20) {
      let source = SwiftModelSource(try generator.model(), .swiftData).text
      for _ in 0..<10 {
        var text = Array(source.unicodeScalars)
        for _ in 0...random.below(4) where !text.isEmpty {
          let place = random.below(text.count)
          switch random.below(3) {
          case 0: text.remove(at: place)
          case 1: text.insert(contentsOf: Array(random.pick(pieces).unicodeScalars), at: place)
          default: text.removeSubrange(place..<min(text.count, place + random.below(30)))
          }
        }
        let changed = String(String.UnicodeScalarView(text))
        for (fact, place) in SwiftReadingError.mistakes(changed) { #expect(place != "nowhere", "\(fact)") }
      }
    }
  }

  @Test(arguments: ["struct S { var a: ", "[", "Optional<", "@Model class A { enum B { ", "Array<", "class A: "])
  func nestingHasALimit(_ opening: String) {
    let text = "@Model class Q { var s: S; var a: " + String(repeating: opening, count: 500)
    #expect(!SwiftReadingError.mistakes(text).isEmpty)
  }

  @Test func structuresThatContainOneAnotherAreRefused() {
    let text = "@Model class Q { var s: S }\nstruct S { var a: T; var b: T }\nstruct T { var a: S; var b: S }"
    #expect(SwiftReadingError.mistakes(text).contains { $0.0 == .tooDeep })
  }
}
