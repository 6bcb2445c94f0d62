-- Runs programs that are meant to fail, one after the other, and says which of them has begun and how it ended.
--
--     attack.lua STORE PREFIX, with lines "NUMBER<tab>CODE" on standard input
--
-- STORE is copied to PREFIX and a number, and opened anew for every few programs, so that what one has left does not
-- decide the next for long. Code finds extreme values in X. A program may fail, with an error that says what is wrong; the process must go on.

local original, prefix = ...
package.path = (debug.getinfo(1, "S").source:match "^@(.*/)" or "./") .. "?.lua;" .. package.path
local makeExtremes = require "extremes"
local write, out = io.write, io.stdout

-- Each copy has a name of its own: a program may have left another connection to the one before.
local copies = 0
local function copyStore()
  for _, suffix in ipairs { "", "-wal", "-shm", "-journal" } do os.remove(prefix .. copies .. suffix) end
  copies = copies + 1
  local path = prefix .. copies
  local from, to = assert(io.open(original, "rb")), assert(io.open(path, "wb"))
  to:write(from:read "a")
  from:close()
  to:close()
  return path
end

local quiet = function() end
local current, count, extremes = nil, 0, nil
local function begin()
  if current then pcall(current.close, current) end
  current = open(copyStore())
  use(current)
  extremes = makeExtremes(current)
end

-- Programs that write into libraries do not end the one that runs them.
local pcall, tostring, type, load, setmetatable = pcall, tostring, type, load, setmetatable

for line in io.lines() do
  local number, code = line:match "^(%d+)\t(.*)$"
  if count % 200 == 0 or current.isClosed then begin() end
  count = count + 1
  write("\1begin ", number, "\n")
  out:flush()
  local chunk, problem = load(code, "=attack", "t", setmetatable({ X = extremes, print = quiet }, { __index = _G }))
  local ok = chunk ~= nil
  local kind
  if chunk then
    ok, problem = pcall(chunk)
    kind = type(problem)
  end
  local said, text = pcall(tostring, problem)
  if not said then text = "TOSTRING FAILS: " .. tostring(text) end
  if #text > 20000 then text = text:sub(1, 10000) .. " ... " .. text:sub(-200) end
  write("\1end ", number, " ", ok and "ok" or kind or "syntax", " ", ok and "" or (text:gsub("[%c]", " ")), "\n")
  pcall(function() context:rollback() end)
end
write "\1over\n"
