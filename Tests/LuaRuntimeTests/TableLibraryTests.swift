import TestSupport
import Testing

@testable import LuaRuntime

@Suite(.seeded) struct TableLibraryTests {
  /// Random calls through the stock functions (`stock.table`) and ours, on tables and on proxies.
  private static let fuzz = #"""
    math.randomseed(...)
    local function proxy(t)
      return setmetatable({}, {
        __index = function(_, k) return t[k] end, __newindex = function(_, k, v) t[k] = v end,
        __len = function() return #t end })
    end
    local function make()
      local t = {}
      for i = 1, math.random(0, 8) do t[i] = math.random(100) end
      if math.random(10) == 1 then t[math.random(10)] = 'x' end
      return t
    end
    local function copy(t) return {table.unpack(t, 1, 12)} end
    local function show(t) local o = {} for i = -5, 25 do o[#o + 1] = tostring(t[i]) end return table.concat(o, ' ') end
    local function number() return math.random(8) == 1 and math.random(0) or math.random(-3, 10) end
    local arguments = {
      insert = function() if math.random(2) == 1 then return 'v' end return number(), 'v' end,
      remove = function() if math.random(2) == 1 then return end return number() end,
      concat = function() return ', ', math.random(-1, 4), math.random(-1, 9) end,
      move = function() return number(), number(), math.random(-3, 12) end,
      sort = function() end,
    }
    local names, differences = {'insert', 'remove', 'concat', 'move', 'sort'}, {}
    for round = 1, 4000 do
      for _, name in ipairs(names) do
        local original = make()
        local given = table.pack(arguments[name]())
        if name == 'move' and given[2] - given[1] > 100 then given[2] = given[1] end
        local results = {}
        for i, lib in ipairs{stock.table, table} do
          local t = copy(original)
          local receiver = round % 3 == 0 and proxy(t) or t
          local r = table.pack(pcall(lib[name], receiver, table.unpack(given, 1, given.n)))
          local second = r[2] == receiver and 'itself' or tostring(r[2])
          -- The stock functions here have no name; and 5.4.4 gives remove's second argument as the first.
          second = second:gsub("bad argument #%d to '.-'", 'bad argument')
          results[i] = tostring(r[1]) .. ' ' .. second .. ' ' .. show(t)
        end
        if results[1] ~= results[2] and #differences < 5 then
          differences[#differences + 1] = name .. ' ' .. show(given) .. ':\n' .. results[1] .. '\n' .. results[2]
        end
      end
    end
    return table.concat(differences, '\n')
    """#

  @Test func ourFunctionsDoWhatTheStockOnesDo() throws {
    try withState { state in
      try state.pushStockFunctions()
      state.setGlobal("stock")
      for seed in 1...3 {
        try state.load(Self.fuzz, name: "=fuzz")
        state.stack.push(Seed.drawn(seed))
        try state.stack.call(arguments: 1, results: 1)
        #expect(state.stack.repairedString(at: -1) == "")
        state.stack.pop()
      }
    }
  }

  @Test func sortingSorts() throws {
    try withState { state in
      try state.run(
        """
        math.randomseed(\(Seed.drawn(7)))
        local shapes = {
          function(i) return math.random(1000) end, function(i) return i end, function(i) return -i end,
          function(i) return 1 end, function(i) return i % 2 end, function(i) return i % 17 end }
        for _, shape in ipairs(shapes) do
          for _, count in ipairs{0, 1, 2, 3, 10, 99, 100, 101, 102, 1000, 5000} do
            for _, less in ipairs{false, function(a, b) return a > b end} do
              local t, sum = {}, 0
              for i = 1, count do t[i] = shape(i) sum = sum + t[i] end
              table.sort(t, less or nil)
              for i = 2, count do assert(not (less and less(t[i], t[i - 1]) or not less and t[i] < t[i - 1])) end
              for i = 1, count do sum = sum - t[i] end
              assert(sum == 0 and #t == count)
            end
          end
        end
        local t = {}
        for i = 1, 300 do t[i] = math.random(300) end
        local ok, message = pcall(table.sort, t, function() return true end)
        assert(ok or message == 'invalid order function for sorting', message)
        assert(not pcall(table.sort, {1, 'x', 2}) and not pcall(table.sort, {1, 2}, 5) and not pcall(table.sort))
        """)
    }
  }

  @Test func stringRepAnswersAsTheStockOneDoes() throws {
    try withState { state in
      try state.pushStockFunctions()
      state.setGlobal("stock")
      try state.run(
        """
        for _, s in ipairs{'', 'a', 'abc'} do
          for _, separator in ipairs{'', ',', ', '} do
            for count = -1, 5 do
              assert(s:rep(count, separator) == stock.string.rep(s, count, separator))
              assert(s:rep(count) == stock.string.rep(s, count))
            end
          end
        end
        local _, ours = pcall(string.rep, 'x', math.maxinteger, 'y')
        local _, theirs = pcall(stock.string.rep, 'x', math.maxinteger, 'y')
        assert(ours == theirs, ours)
        assert(not pcall(string.rep) and not pcall(string.rep, 'x', 'y'))
        """)
    }
  }
}
