-- One of several processes that write one store at a time, and tell what they saw.
--
--     writers.lua STORE LOG WORKER SECONDS
--
-- Transactions are of three kinds: they read lists and append to them (list-append), move money between accounts (bank), or
-- read all accounts. Half of them hold the write lock from their first reading on (BEGIN IMMEDIATE); the others read without
-- any lock, and the save finds what others have changed meanwhile. LOG gets a line for each that was committed.

local path, log, worker, seconds = ...
worker = math.tointeger(worker)
math.randomseed(worker, 7)
local store = open(path, { busyTimeout = 60 })
local List, Entry, Account, Step =
  store.entities.List, store.entities.Entry, store.entities.Account, store.entities.Step
local context = store.context
local out = assert(io.open(log, "w"))
local LISTS, ACCOUNTS = 6, 5
local number = worker * 10000000
-- Lists that have become long are left for the next ones, so that reading one takes as long at the end as at the beginning.
local LONGEST, last = 40, List:count()
local first = 0

local function pick() return first + math.random(LISTS) end

local function note(key, length)
  if length >= LONGEST and key > first and first + 2 * LISTS <= last then first = first + LISTS end
end

local function elements(key)
  local found = {}
  for _, entry in ipairs(Entry:where("list.key == %@", key):sorted("place"):fetch()) do found[#found + 1] = entry.value end
  note(key, #found)
  return table.concat(found, ",")
end

local kinds = {}

function kinds.append(isLocked)
  local parts = {}
  for i = 1, math.random(1, 3) do
    local key = pick()
    if math.random() < 0.5 then
      -- Readings one after the other are one moment only under the lock.
      if isLocked then parts[#parts + 1] = "r " .. key .. " " .. elements(key) end
    else
      -- The place is one behind the last: two that append at once want the same, which is unique.
      local latest = Entry:where("list.key == %@", key):sorted("-place"):first()
      local place, value = (latest and latest.place or 0) + 1, number * 10 + i
      Entry { list = List:find(key), place = place, slot = key * 10000000 + place, value = value }
      note(key, place)
      parts[#parts + 1] = "a " .. key .. " " .. value
    end
  end
  return table.concat(parts, ";")
end

function kinds.pay()
  local from, to, amount = math.random(ACCOUNTS), math.random(ACCOUNTS), math.random(1, 20)
  local payer, payee = Account:find(from), Account:find(to)
  if from == to or payer.balance < amount then return "nothing" end
  payer.balance, payee.balance = payer.balance - amount, payee.balance + amount
  return "pay " .. from .. " " .. to .. " " .. amount
end

function kinds.sum(isLocked)
  -- What one statement computes is of one moment; objects are read one after the other, which is one under the lock.
  if not isLocked then
    return "sum " .. math.tointeger(Account:all():sum "balance") .. " " .. math.tointeger(Account:all():min "balance")
  end
  local sum, least = 0, math.maxinteger
  for _, account in ipairs(Account:sorted("key"):fetch()) do
    sum, least = sum + account.balance, math.min(least, account.balance)
  end
  return "sum " .. sum .. " " .. least
end

local expected = { conflict = true, busy = true, validation = true, notUnique = true }
local committed, refused = 0, 0
local ends = os.time() + math.tointeger(seconds)
while os.time() < ends do
  local chance = math.random()
  local kind = chance < 0.5 and "append" or chance < 0.8 and "pay" or "sum"
  local isLocked = math.random() < 0.5
  number = number + 1
  local what
  local ok, problem = pcall(function()
    if isLocked then store:sql "BEGIN IMMEDIATE" end
    what = kinds[kind](isLocked)
    if kind ~= "sum" then Step { writer = worker, transaction = number } end
    context:save()
    if isLocked then store:sql "COMMIT" end
  end)
  if ok then
    committed = committed + 1
    out:write(number, "\t", what, "\n")
  else
    refused = refused + 1
    pcall(context.rollback, context)
    if isLocked then pcall(store.sql, store, "ROLLBACK") end
    local word = type(problem) == "userdata" and problem.kind or "none"
    if not expected[word] then
      out:write("0\tERROR ", tostring(word), " ", (tostring(problem):gsub("%s+", " ")), "\n")
    end
  end
end
out:close()
store:close()
print(committed, refused)
