import Testing

@testable import LuaRuntime

@Suite struct StringLibraryTests {
  @Test func repeatedStringsAreThoseOfTheStockFunction() throws {
    try withState { state in
      try state.pushStockFunctions()
      state.setGlobal("stock")
      let different = state.text(
        of: """
          local different = {}
          for _, text in ipairs { "", "x", "ab", "abc\\0", ("0123456789"):rep(7) } do
            for _, separator in ipairs { "", ",", ", and ", ("-"):rep(100) } do
              for _, count in ipairs { -1, 0, 1, 2, 3, 7, 64, 1000 } do
                local ours, theirs = text:rep(count, separator), stock.string.rep(text, count, separator)
                if ours ~= theirs then table.insert(different, text .. count .. separator) end
              end
            end
          end
          local long = ("x"):rep(700000)
          for _, text in ipairs { long, long .. long, "abcdefg" } do
            local count = #text > 10 and 4 or 500000
            if text:rep(count, "|") ~= stock.string.rep(text, count, "|") then table.insert(different, "long") end
          end
          return #different .. table.concat(different, " ")
          """)
      #expect(different == "0")
    }
  }

  @Test func whatWouldBeTooLongIsAnError() throws {
    try withState { state in
      #expect(state.text(of: "return ('x'):rep(math.maxinteger, 'y')").contains("resulting string too large"))
    }
  }
}
