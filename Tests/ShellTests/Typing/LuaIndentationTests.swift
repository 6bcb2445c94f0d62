import Testing

@testable import Session
@testable import Shell

@Suite struct LuaIndentationTests {
  @Test(arguments: [
    ("", "x", 0), ("do\n", "", 2), ("for i = 1, 2 do\n  if i then\n", "", 4), ("do\n", "end", 0),
    ("if a then\n", "else", 0), ("if a then\nelse\n", "", 2), ("if a then\nelseif b then\n", "", 2),
    ("f {\n  g(\n", "", 4), ("f {\n", "}", 0), ("repeat\n", "until x", 0), ("x = 'do'\n", "", 0),
    ("-- function\n", "", 0), ("x = [[\ndo\n", "", 0), ("end end\n", "", 0), ("do\n", "ending", 2),
  ])
  func aLineIsIndentedByWhatIsOpenBeforeIt(before: String, line: String, columns: Int) {
    #expect(LuaIndentation.columns(of: line, after: before) == columns)
  }
}
