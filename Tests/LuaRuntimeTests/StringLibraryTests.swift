import TestSupport
import Testing

@testable import LuaRuntime

@Suite(.seeded) struct StringLibraryTests {
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

  /// Texts of few letters, so that beginnings of what is looked for are everywhere, and long ones, in which they are rare.
  @Test func plainTextIsFoundWhereTheStockFunctionFindsIt() throws {
    try withState { state in
      try state.pushStockFunctions()
      state.setGlobal("stock")
      try state.load(
        #"""
        math.randomseed(...)
        local function text(letters, most)
          local parts = {}
          for i = 1, math.random(0, most) do
            local place = math.random(#letters)
            parts[i] = letters:sub(place, place)
          end
          return table.concat(parts)
        end
        local different = {}
        for round = 1, 4000 do
          local letters = ({ "ab", "abcdefghij\0", "a" .. ("x"):rep(40) })[math.random(3)]
          local subject = text(letters, ({ 5, 60, 3000 })[math.random(3)])
          local wanted = text(letters, ({ 3, 8, 70 })[math.random(3)])
          if math.random(3) == 1 then wanted = subject:sub(math.random(#subject + 1), math.random(#subject + 1)) end
          local start = math.random(-3, #subject + 2)
          local first, last = subject:find(wanted, start, true)
          local stockFirst, stockLast = stock.string.find(subject, wanted, start, true)
          if first ~= stockFirst or last ~= stockLast then table.insert(different, subject .. " / " .. wanted) end
        end
        return table.concat(different, "\n")
        """#, name: "=fuzz")
      state.stack.push(Seed.drawn(1))
      try state.stack.call(arguments: 1, results: 1)
      #expect(state.stack.repairedString(at: -1) == "")
    }
  }

  @Test func whatWouldBeTooLongIsAnError() throws {
    try withState { state in
      #expect(state.text(of: "return ('x'):rep(math.maxinteger, 'y')").contains("resulting string too large"))
    }
  }
}
