import LuaBindings
import Testing

@testable import Session
@testable import Shell

@Suite final class ArgumentHintTests {
  let engine: Engine

  deinit { engine.close() }

  init() throws {
    engine = try Engine()
    _ = try engine.evaluate(
      """
      use(open(":memory:", { model = Model {
        Quake = Entity {
          code = String { unique = true }, magnitude = Double, place = String,
        },
      } }))
      local quake = Quake { code = "us1" }
      strong = Quake:where "magnitude > 5"
      """, name: "=test")
  }

  @Test func theArgumentsOfAKnownCallAreTold() {
    let hint = ArgumentHint(engine)
    #expect(hint.text(behind: "Quake:where(") == "predicate, ...) -> request")
    #expect(hint.text(behind: "x = strong:limit(")?.hasPrefix("n)") == true)
    #expect(hint.text(behind: "print(Predicate(") == "format, ...) -> predicate")
    for block in [
      "unknown(", "Quake:wher(", "'Quake:where(", "-- Quake:where(", "Quake:where(1", "(", "quake.code(", "?use(", "",
    ] {
      #expect(hint.text(behind: block) == nil, "\(block)")
    }
  }
}
