/// The functions `test` and `expect` of specs, in Lua.
package enum SpecFunctions {
  /// Returns how many tests there are, the name of one, and a function that runs it.
  package static let source = #"""
    local tests, methods = {}, {}
    local Expectation = { __index = methods, __name = "expectation" }

    local function show(value)
      if type(value) == "string" then return (string.format("%q", value):gsub("\\\n", "\\n")) end
      return tostring(value)
    end

    local function fail(...) error(string.format(...), 3) end

    local function same(a, b, seen)
      if a == b or (a ~= a and b ~= b) then return true end
      if type(a) ~= "table" or type(b) ~= "table" then return false end
      seen = seen or {}
      if seen[a] == b then return true end
      seen[a] = b
      for key, value in pairs(a) do if not same(value, b[key], seen) then return false, key end end
      for key in pairs(b) do if a[key] == nil then return false, key end end
      return true
    end

    local function isStore(value) return getmetatable(value) == "Store" end

    -- Compares the objects of a store with those of another, or of a file.
    local function compare(store, wanted, options)
      local other = isStore(wanted) and wanted or open(wanted, { readOnly = true })
      local difference = other:compare(store, options)
      local isSame, text = difference.isEmpty, tostring(difference)
      if not isStore(wanted) then other:close() end
      if isSame then return end
      if store.context.hasChanges then text = text .. "\nunsaved changes are not compared; save() them" end
      error(string.format("expected the objects of %s, got:\n%s", isStore(wanted) and wanted.path or wanted, text), 2)
    end

    function methods:equals(wanted, options)
      if isStore(rawget(self, "value")) and (type(wanted) == "string" or isStore(wanted)) then
        return compare(rawget(self, "value"), wanted, options)
      end
      local isSame, key = same(rawget(self, "value"), wanted)
      if isSame then return end
      if key ~= nil then
        fail("at %s: expected %s, got %s", show(key), show(wanted[key]), show(rawget(self, "value")[key]))
      end
      fail("expected %s, got %s", show(wanted), show(rawget(self, "value")))
    end

    function methods:differs(unwanted)
      if same(rawget(self, "value"), unwanted) then fail("expected anything but %s", show(unwanted)) end
    end

    function methods:isNil()
      if rawget(self, "value") ~= nil then fail("expected nil, got %s", show(rawget(self, "value"))) end
    end

    function methods:isTrue()
      if rawget(self, "value") ~= true then fail("expected true, got %s", show(rawget(self, "value"))) end
    end

    function methods:isFalse()
      if rawget(self, "value") ~= false then fail("expected false, got %s", show(rawget(self, "value"))) end
    end

    function methods:isNear(wanted, distance)
      distance = distance or 1e-9
      if type(rawget(self, "value")) ~= "number" or not (math.abs(rawget(self, "value") - wanted) <= distance) then
        fail("expected %s, %s at most away, got %s", show(wanted), show(distance), show(rawget(self, "value")))
      end
    end

    function methods:contains(part)
      if type(rawget(self, "value")) == "string" then
        if rawget(self, "value"):find(part, 1, true) then return end
        fail("expected a text with %s, got %s", show(part), show(rawget(self, "value")))
      end
      if type(rawget(self, "value")) ~= "table" then fail("expected a text or a list, got %s", show(rawget(self, "value"))) end
      for _, element in ipairs(rawget(self, "value")) do if same(element, part) then return end end
      fail("expected a list with %s, got %s elements without it", show(part), #rawget(self, "value"))
    end

    function methods:fails(part)
      local succeeds, problem = pcall(rawget(self, "value"))
      if succeeds then fail("expected an error%s, but it succeeded", part and " with " .. show(part) or "") end
      if part and not tostring(problem):find(part, 1, true) then
        fail("expected an error with %s, got %s", show(part), show(tostring(problem)))
      end
    end

    setmetatable(methods, { __index = function(_, name)
      local names = {}
      for known in pairs(methods) do names[#names + 1] = known end
      table.sort(names)
      error(string.format("there is no expectation '%s'; there are %s", tostring(name), table.concat(names, ", ")), 2)
    end })

    function expect(value) return setmetatable({ value = value }, Expectation) end

    function test(name, body)
      if type(name) ~= "string" then error("test: expected a name, got a " .. type(name), 2) end
      if type(body) ~= "function" then error("test: expected a function, got a " .. type(body), 2) end
      tests[#tests + 1] = { name = name, body = body }
    end

    return function() return #tests end, function(i) return tests[i].name end, function(i) tests[i].body() end
    """#

  /// What editors need to know of them, as LuaCATS.
  package static let annotations = """
    ---@class perilune.Expectation
    ---@field equals fun(self: perilune.Expectation, other: any, options?: table) It is the same; tables by their contents, a store by its objects.
    ---@field differs fun(self: perilune.Expectation, other: any) It is not the same.
    ---@field isNil fun(self: perilune.Expectation) It is nil.
    ---@field isTrue fun(self: perilune.Expectation) It is true.
    ---@field isFalse fun(self: perilune.Expectation) It is false.
    ---@field isNear fun(self: perilune.Expectation, number: number, distance?: number) It is at most so far away.
    ---@field contains fun(self: perilune.Expectation, part: any) A text has the part, a list the element.
    ---@field fails fun(self: perilune.Expectation, text?: string) The function raises an error, with the text.

    --- Expects something of a value, in specs.
    ---@param value any
    ---@return perilune.Expectation
    function expect(value) end

    --- A test of a spec, with a Lua and a store of its own.
    ---@param name string
    ---@param body fun()
    function test(name, body) end
    """
}
