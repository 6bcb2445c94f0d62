internal import LuaRuntime

/// The output of scripts, handed to the client of a session in place of C's streams.
enum ScriptOutput {
  /// Replaces `print`, `io.write` and the standard streams.
  static func take(_ console: Console) throws {
    let lua = console.engine.lua
    let stack = lua.stack
    try lua.load(source, name: "=output")
    stack.reserve(4)
    stack.pushFunction { [unowned console] stack in
      console.output.flush()
      let stream = stack.string(at: 1).flatMap(ScriptStream.init) ?? .output
      try console.client.receive(.printed(stream, stack.bytes(at: 2) ?? []))
      return 0
    }
    try stack.call(arguments: 1, results: 0)
  }

  private static let source = #"""
    local receive, type, tostring, select, error, concat = ..., type, tostring, select, error, table.concat
    local function stream(name)
      local file = {}
      function file:write(...)
        for index = 1, select("#", ...) do
          local value = select(index, ...)
          if type(value) ~= "string" and type(value) ~= "number" then
            error("bad argument #" .. index .. " to 'write' (string expected, got " .. type(value) .. ")", 2)
          end
          receive(name, tostring(value))
        end
        return self
      end
      function file:flush() return self end
      function file:close() return true end
      function file:setvbuf() return true end
      return file
    end
    local output, errors = stream "output", stream "error"
    function print(...)
      local texts = {}
      for index = 1, select("#", ...) do texts[index] = tostring((select(index, ...))) end
      output:write(concat(texts, "\t") .. "\n")
    end
    if io then
      local redirect, target = io.output, output
      io.stdout, io.stderr = output, errors
      function io.output(file)
        if file ~= nil then target = file == output and output or redirect(file) end
        return target
      end
      function io.write(...) return target:write(...) end
    end
    """#
}
