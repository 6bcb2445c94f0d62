import LuaBindings
import Stores
import Testing

@Suite struct EngineLifetimeTests {
  @Test func anEngineMayBeLetGoWithoutClosing() throws {
    for _ in 0..<3 {
      let engine = try Engine()
      var options = StoreOptions(path: ":memory:")
      options.create = true
      try engine.open(options)
      _ = try engine.evaluate("held = store:sql('SELECT 1 AS n') return #held", name: "=test")
    }
  }
}
