import Testing

@testable import Session
@testable import Shell

@Suite struct LuaNamesTests {
  private func free(_ block: String, point: Int = -1) -> [String] {
    let outline = LuaOutline(block)
    return LuaNames(outline, point: point).free.map { outline.text($0) }
  }

  @Test(arguments: [
    ("print(a.b.c, d:e())", ["print", "a", "d"]),
    ("local x, y <const> = 1, z return x + y", ["z"]),
    ("local function f(a, ...) return f(a, b) end", ["b"]),
    ("function g(a) return g, a end", []),
    ("function t.u:v(a) return self, a, t end", ["t", "t"]),
    ("for i, v in pairs(t) do print(i, v) end", ["pairs", "t", "print"]),
    ("x, y = 1 print(x, y)", ["print"]),
    ("f { a = 1, b = c; d }", ["f", "c", "d"]),
    ("f { g = function() h = 1 return h end }", ["f"]),
    ("goto done ::done:: x()", ["x"]),
    ("return 'a' .. b -- c", ["b"]),
    ("a == b", ["a", "b"]),
  ])
  func namesThatNothingDeclaresAreFree(block: String, names: [String]) {
    #expect(free(block) == names)
  }

  @Test func aNameThatIsBeingTypedIsNotLookedAt() {
    #expect(free("print(abc", point: 9) == ["print"])
    #expect(free("print(abc", point: 8) == ["print", "abc"])
    // What may be assigned yet.
    for block in ["total", "total ", "a, total", "f(x)\ntotal "] { #expect(!free(block).contains("total"), "\(block)") }
    #expect(free("total(").contains("total"))
    #expect(free("return total ") == ["total"])
  }
}
