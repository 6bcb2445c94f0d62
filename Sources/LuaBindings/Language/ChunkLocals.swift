internal import LuaRuntime

/// The top-level locals of chunks, as cells that later chunks share.
///
/// Its functions in Lua are compiled when a chunk first needs them: a script, and most single lines, have no locals to share.
final class ChunkLocals {
  /// The names of the locals.
  private(set) var names: Set<String> = []
  /// What the functions are made of, taken before a script can replace it or the sandbox removes it.
  private let library: LuaReference
  private var functions: Functions?
  /// Whether names are looked up in an entered object first.
  private var hasScope = false

  private struct Functions {
    let join: LuaReference
    let read: LuaReference
    let enter: LuaReference
    let leave: LuaReference
    let bind: LuaReference
    let setScope: LuaReference
  }

  /// Prepares to join cells, which needs the `debug` library.
  init(_ lua: LuaState) throws {
    try lua.load(Self.library, name: "=session")
    try lua.stack.call(results: 1)
    library = lua.stack.popReference()
  }

  private func functions(_ lua: LuaState) throws -> Functions {
    if let functions { return functions }
    let stack = lua.stack
    try lua.load(Self.source, name: "=session")
    stack.push(library)
    try stack.call(arguments: 1, results: 6)
    let (setScope, bind, leave) = (stack.popReference(), stack.popReference(), stack.popReference())
    let (enter, read, join) = (stack.popReference(), stack.popReference(), stack.popReference())
    let new = Functions(join: join, read: read, enter: enter, leave: leave, bind: bind, setScope: setScope)
    functions = new
    return new
  }

  /// Pushes the function of a chunk that can use the locals of earlier chunks.
  ///
  /// - Throws: the syntax error of the original chunk.
  func load(_ source: String, name: String, in lua: LuaState) throws {
    try loadJoined(source, name: name, in: lua)
    guard hasScope else { return }
    let stack = lua.stack
    stack.push(try functions(lua).bind)
    stack.insert(at: -2)
    try stack.call(arguments: 1, results: 1)
  }

  private func loadJoined(_ source: String, name: String, in lua: LuaState) throws {
    try lua.load(source, name: name)
    guard let chunk = RewrittenChunk(source, known: names) else { return }
    // A valid chunk may fail to compile after rewriting: a label at the end, 200 locals. Then it runs unchanged.
    guard (try? lua.load(chunk.source, name: name)) != nil else { return }
    let stack = lua.stack
    stack.remove(at: -2)
    stack.push(try functions(lua).join)
    stack.insert(at: -2)
    stack.pushTable(array: Int32(clamping: chunk.declared.count))
    for (number, name) in chunk.declared.enumerated() {
      stack.push(name)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    try stack.call(arguments: 2, results: 1)
    names.formUnion(chunk.declared)
  }

  /// Pushes the value of a local; returns false, and pushes nothing, if there is none with that name.
  func push(local name: String, on stack: LuaStack) -> Bool {
    guard names.contains(name), let functions else { return false }
    stack.push(functions.read)
    stack.push(name)
    return (try? stack.call(arguments: 1, results: 1)) != nil
  }

  /// Makes later chunks look up `names` in the object on the top of the stack first, and pops it; an empty list ends
  /// that.
  func scope(_ names: [String], in lua: LuaState) throws {
    let stack = lua.stack
    let setScope = try functions(lua).setScope
    hasScope = !names.isEmpty
    stack.push(setScope)
    stack.insert(at: -2)
    stack.pushTable(hash: Int32(clamping: names.count))
    for name in names {
      stack.push(true)
      stack.rawSet(field: name, at: -2)
    }
    try stack.call(arguments: 2, results: 0)
  }

  /// Runs `body` with the locals of the Lua function that called the running host function as locals of the session.
  ///
  /// Assignments to them take effect in the function. `body` receives the place of the call, `script.lua:12`, and the
  /// names.
  func withLocalsOfCaller(_ lua: LuaState, _ body: (_ place: String, _ names: [String]) -> Void) throws {
    let stack = lua.stack
    let functions = try functions(lua)
    stack.reserve(8)
    stack.push(functions.enter)
    try stack.call(arguments: 0, results: 3)
    let kept = stack.popReference()
    var added: [String] = []
    stack.push(kept)
    try stack.forEachPair(at: -1) { stack in
      if let name = stack.string(at: -2) { added.append(name) }
    }
    stack.pop()
    let slots = stack.popReference()
    let place = stack.string(at: -1) ?? ""
    stack.pop()
    let known = names
    names.formUnion(added)
    body(place, added.sorted())
    names = known
    stack.push(functions.leave)
    stack.push(slots)
    stack.push(kept)
    try stack.call(arguments: 2, results: 0)
  }

  /// Removes everything that scripts must not reach, and opens the sandbox's libraries.
  ///
  /// Joining cells needs `debug`, which the sandbox lacks. These locals are therefore made before, and keep the
  /// functions that it needs.
  func enterSandbox(_ lua: LuaState) throws {
    let clearing = """
      local loaded, pairs = package.loaded, pairs
      for name in pairs(loaded) do loaded[name] = nil end
      for name in pairs(package.preload) do package.preload[name] = nil end
      for name in pairs(_ENV) do _ENV[name] = nil end
      """
    try lua.load(clearing, name: "=session")
    try lua.stack.call()
    try lua.openStandardLibraries(sandboxed: true)
  }

  private static let library = """
    local function copy(functions)
      local copied = {}
      for name, value in pairs(functions) do copied[name] = value end
      return copied
    end
    return {
      debug = copy(debug), pack = table.pack, sub = string.sub, setmetatable = setmetatable, select = select,
      ipairs = ipairs, pairs = pairs, global = _G,
    }
    """

  /// Joins the cells of a rewritten chunk (see RewrittenChunk) with those of earlier chunks, and keeps the cells of its own
  /// locals.
  private static let source = """
    local library = ...
    local debug = library.debug
    local getupvalue, setupvalue, upvaluejoin = debug.getupvalue, debug.setupvalue, debug.upvaluejoin
    local getlocal, setlocal, getinfo = debug.getlocal, debug.setlocal, debug.getinfo
    local pack, sub, setmetatable, global = library.pack, library.sub, library.setmetatable, library.global
    local select, ipairs, pairs = library.select, library.ipairs, library.pairs
    local cells = {}

    local function keep(names, f)
      local found = {}
      for i = 1, 255 do
        local name = getupvalue(f, i)
        if not name then break end
        found[name] = i
      end
      local values = pack(f())
      for i, name in ipairs(names) do
        local value = values[i]
        -- A constant has no cell.
        cells[name] = found[name] and { f, found[name] } or { function() return value end, 1 }
      end
    end

    local function join(make, names)
      local f = make(function(g) keep(names, g) end)
      for i = 1, 255 do
        local name = getupvalue(f, i)
        if not name then break end
        local cell = cells[name]
        if cell then upvaluejoin(f, i, cell[1], cell[2]) end
      end
      return f
    end

    local function read(name)
      local cell = cells[name]
      if not cell then return nil end
      return select(2, getupvalue(cell[1], cell[2]))
    end

    -- Levels: 1 is this function, 2 the host's, 3 what called it.
    local function enter()
      local info = getinfo(3, "Slf")
      local slots, kept = {}, {}
      local function add(name, cell)
        if kept[name] == nil then kept[name] = cells[name] or false end
        cells[name] = cell
      end
      if not info or info.what == "C" then return "", slots, kept end
      for i = 1, 255 do
        local name = getupvalue(info.func, i)
        if not name then break end
        -- Without its names, a function has (no name) for all.
        if name ~= "_ENV" and sub(name, 1, 1) ~= "(" then add(name, { info.func, i }) end
      end
      for i = 1, 255 do
        local name, value = getlocal(3, i)
        if not name then break end
        if sub(name, 1, 1) ~= "(" then
          add(name, { function() return value end, 1 })
          slots[name] = i
        end
      end
      return info.short_src .. ":" .. info.currentline, slots, kept
    end

    local function leave(slots, kept)
      for name, i in pairs(slots) do
        local cell = cells[name]
        setlocal(3, i, select(2, getupvalue(cell[1], cell[2])))
      end
      for name, cell in pairs(kept) do cells[name] = cell or nil end
    end

    -- The object whose properties are names, and these names.
    local object, properties = nil, {}
    local environment = setmetatable({}, {
      __index = function(_, name)
        if properties[name] then return object[name] end
        if name == "self" and object ~= nil then return object end
        return global[name]
      end,
      __newindex = function(_, name, value)
        if properties[name] then object[name] = value else global[name] = value end
      end,
    })

    local function bind(f)
      for i = 1, 255 do
        local name = getupvalue(f, i)
        if not name then break end
        if name == "_ENV" then setupvalue(f, i, environment) end
      end
      return f
    end

    local function setScope(new, names) object, properties = new, names end

    return join, read, enter, leave, bind, setScope
    """
}
