import Glibc
import TestSupport
import Testing

@testable import LuaRuntime

@Suite(.seeded) struct PatternTests {
  /// Random patterns, subjects and replacements through the stock functions (`stock.string`) and ours; returns the number
  /// of compared calls and the first differences.
  private static let fuzz = #"""
    local seed, rounds = ...
    math.randomseed(seed)
    local atoms = {'a','b','.','%a','%d','%s','%w','%W','%p','[ab]','[^a]','[a-c]','[%d_]','[]x]','[^]]','(',')','()',
      '%1','%2','%b()','%bab','%b','%f[%w]','%f[^a]','%f','$','^','-','*','+','?','%','[','%%','%.','x','1',' ','(a)',
      '[a-]','[-a]','[%a-z]','%z','%g','%x','\0','é','[%]]','[^%s]','[^','(.-)','(%w*)','.-'}
    local repeats = {'','','','','*','+','-','?'}
    local subjects = {'a','b','ab','1','(',')',' ','x','_','.','%','aa','\0','é','-'}
    local texts = {'a','%0','%1','%2','%%','%','<','>','%9','%a','1'}
    local function pick(list) return list[math.random(#list)] end
    local function join(list, most, suffixes)
      local t = {}
      for i = 1, math.random(0, most) do t[i] = pick(list) .. (suffixes and pick(suffixes) or '') end
      return table.concat(t)
    end
    local function collect(lib, s, p, init)
      local found = {}
      for a, b in lib.gmatch(s, p, init) do
        found[#found + 1] = tostring(a) .. '|' .. tostring(b)
        if #found > 50 then break end
      end
      return table.concat(found, ',')
    end
    local calls = {
      find = function(lib, s, p, init) return lib.find(s, p, init) end,
      plain = function(lib, s, p, init) return lib.find(s, p, init, true) end,
      match = function(lib, s, p, init) return lib.match(s, p, init) end,
      gmatch = collect,
      gsub = function(lib, s, p, init, text) return lib.gsub(s, p, text) end,
      gsubn = function(lib, s, p, init, text) return lib.gsub(s, p, text, init) end,
      gsubf = function(lib, s, p) return lib.gsub(s, p, function(x) return x == 'a' and 'Z' or x == 'b' and {} or nil end) end,
      gsubt = function(lib, s, p) return lib.gsub(s, p, {a = 'Z', b = 5, [1] = 'one', ['1'] = true}) end,
    }
    local names = {'find', 'plain', 'match', 'gmatch', 'gsub', 'gsubn', 'gsubf', 'gsubt'}
    local function same(a, b)
      if a.n ~= b.n then return false end
      for i = 1, a.n do if a[i] ~= b[i] then return false end end
      return true
    end
    local compared, differences = 0, {}
    for round = 1, rounds do
      local p, s, text, init = join(atoms, 6, repeats), join(subjects, 12), join(texts, 4), math.random(-3, 8)
      if round % 50 == 0 then p, s = ('xy'):rep(30) .. p, ('xy'):rep(30) .. s end   -- a long pattern is kept elsewhere
      for _, name in ipairs(names) do
        local call = calls[name]
        local a = table.pack(pcall(call, stock.string, s, p, init, text))
        local b = table.pack(pcall(call, string, s, p, init, text))
        compared = compared + 1
        if not same(a, b) and #differences < 10 then
          differences[#differences + 1] =
            string.format('%s(%q, %q, %q, %d): %s / %s', name, s, p, text, init, tostring(a[2]), tostring(b[2]))
        end
      end
    end
    return compared, table.concat(differences, '\n')
    """#

  @Test func ourFunctionsFindWhatTheStockOnesFind() throws {
    let isLong = Effort.isLong
    try withState(limit: 256 << 20) { state in
      try state.pushStockFunctions()
      state.setGlobal("stock")
      let stack = state.stack
      var compared: Int64 = 0
      for seed in 1...(isLong ? 200 : 10) {
        try state.load(Self.fuzz, name: "=fuzz")
        stack.push(Seed.drawn(seed))
        stack.push(1300)
        try stack.call(arguments: 2, results: 2)
        compared += stack.integer(at: -2) ?? 0
        #expect(stack.repairedString(at: -1) == "")
        stack.pop(2)
      }
      #expect(compared >= 100_000)
    }
  }

  @Test func longPatternsAndManyCapturesWork() throws {
    try withState { state in
      try state.run(
        #"""
        local s = ('ab'):rep(100)
        assert(s:match('^' .. ('a[b-c]'):rep(100) .. '$') == s)
        assert(select('#', s:match(('(.)'):rep(32))) == 32)
        assert(not pcall(string.match, s, ('(.)'):rep(33)))
        local ok, message = pcall(string.match, s, ('.-'):rep(300) .. 'c')
        assert(not ok and message == 'pattern too complex', message)
        local n = 0
        for a in s:gmatch(('[ab]'):rep(30)) do n = n + 1 end
        assert(n == 6)
        local it = ('a b'):gmatch('%a')
        assert(coroutine.wrap(function() return it() end)() == 'a' and it() == 'b')
        """#)
    }
  }
}
