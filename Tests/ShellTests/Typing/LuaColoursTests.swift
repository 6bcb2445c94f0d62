import LuaBindings
import TestSupport
import Testing

@testable import Presentation
@testable import Session
@testable import Shell

/// The colours of a block beside a store.
@Suite(.seeded) final class LuaColoursTests {
  let engine: Engine

  deinit { engine.close() }

  init() throws {
    engine = try Engine()
    _ = try engine.evaluate(
      """
      use(open(":memory:", { model = Model {
        Quake = Entity {
          code = String { unique = true }, magnitude = Double, place = String,
          reports = ToMany "Report" { inverse = "quake" },
        },
        Report = Entity { text = String, quake = ToOne "Quake" { inverse = "reports" } },
      } }))
      local quake = Quake { code = "us1" }
      strong = Quake:where "magnitude > 5"
      """, name: "=test")
  }

  /// The parts with one of some roles, in the order of the text.
  private func parts(_ block: String, _ roles: Style.Role..., at point: Int = -1) -> [String] {
    let bytes = Array(block.utf8)
    return LuaColours(engine).marks(of: block, at: point).filter { roles.contains($0.role) }
      .map { String(decoding: bytes[$0.range], as: UTF8.self) }
  }

  @Test func aPredicateInAStringIsColouredByItsWords() {
    let block = #"x = Quake:where("magnitude > 5 AND place == %@ OR code BEGINSWITH \"é\" OR magnitude < $m", y)"#
    #expect(parts(block, .name) == ["magnitude", "place", "code", "magnitude"])
    #expect(parts(block, .keyword) == [">", "AND", "==", "OR", "BEGINSWITH", "OR", "<"])
    #expect(parts(block, .number) == ["5"])
    #expect(parts(block, .placeholder) == ["%@", "$m"])
    #expect(parts(block, .string) == ["\"", #"\"é\""#, "\""])
  }

  @Test(arguments: [
    "Quake:where 'magnitud > 1'", "Quake:count('magnitud > 1')", "strong:first [[magnitud > 1]]",
    "quake.reports:where('tex == 1')", "FetchRequest { entity = 'Quake', predicate = 'magnitud > 1' }",
    "FetchRequest { predicate = { 'magnitud > %@', 5 }, entity = Quake }",
    "Quake:all():sorted('-code'):where('cod > 1')",
    "Report:where 'quake.cod == 1'", "Quake:where 'magnitud > 1", "Quake:where [==[magnitud > 1",
    "Quake:where 'ANY reports.tex == 1'",
  ])
  func anUnknownPropertyIsMarked(block: String) {
    let names: Set = ["magnitud", "cod", "tex"]
    let found = parts(block, .unknown)
    #expect(found.count == 1 && names.contains(found[0]), "\(found)")
  }

  @Test(arguments: [
    "print('magnitud > 1')", "Quake:where('magnitude > %@', 'magnitud > 1')", "string.find('magnitud', 'x')",
    "Predicate('magnitud > 1')", "Quake:find 'magnitud'", "('magnitud'):find 'x'", "Quake:all():having('magnitud > 1')",
    "t = { predicate = 'magnitud > 1' }", "Quake:where 'magnitude > 1'", "Quake:where '\\x41 > 1'",
  ])
  func otherStringsHaveNoUnknownProperties(block: String) {
    #expect(parts(block, .unknown).isEmpty)
  }

  @Test func whatIsTypedAtItsEndIsNotMarked() {
    let block = "Quake:where 'magnitud"
    #expect(parts(block, .unknown, at: block.utf8.count).isEmpty)
    #expect(parts(block, .unknown, at: 15) == ["magnitud"])
    #expect(parts("x = prnt", .unknown, at: 8).isEmpty)
    #expect(parts("x = prnt", .unknown, at: 0) == ["prnt"])
  }

  @Test func namesAreKnownToTheSessionTheBlockOrTheModel() {
    #expect(parts("local a = quake print(a, strong, Quake, string.format, b)", .unknown) == ["b"])
    // Lines that are no Lua, or end in a command of the system.
    for block in ["SELECT status FROM quake", "Quake:all() | less -S", ".tables foo", "?foo", ""] {
      #expect(parts(block, .unknown).isEmpty, "\(block)")
    }
  }

  @Test func bracketsAreMarkedOutsideOfStringsAndComments() {
    #expect(parts("f(g[1]) -- (", .bracket, .counterpart, at: 1) == ["(", ")"])
    #expect(parts("f(']')", .counterpart, at: 6) == ["("])
    #expect(parts("f('(')", .bracket, .counterpart, at: 3).isEmpty)
  }

  @Test func marksAreInOrderAndNeverOverlap() {
    var random = SplitMix(seed: 1)
    let pieces = [
      "Quake", ":where", "(", ")", "'", "\"", "magnitude", " > ", "5", " AND ", "%@", "$x", "\\", "[[", "]]", "\n",
      "--", "é",
      "{ entity = Quake, predicate = ", "}", "local ", "function", "reports.", "=", "|", "雪", "\u{0}",
    ]
    for _ in 0..<500 {
      let block = (0..<random.below(25)).map { _ in random.pick(pieces) }.joined()
      var end = 0
      for mark in LuaColours(engine).marks(of: block, at: random.below(block.utf8.count + 1)) {
        #expect(mark.range.lowerBound >= end && mark.range.upperBound <= block.utf8.count, "\(block.debugDescription)")
        end = mark.range.upperBound
      }
    }
  }
}
