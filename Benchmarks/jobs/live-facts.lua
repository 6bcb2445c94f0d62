-- What the live jobs tell: times in seconds, memory, and that the result is what a fresh fetch gives.

local facts, told = {}, {}

-- Seconds since 1970 to a quarter of a microsecond, the same in all processes of the machine.
local epoch = Date(0)
function facts.now()
  return Date() - epoch
end

-- Besides pages of files, which the system takes back when it likes.
function facts.residentBytes()
  local file <close> = assert(io.open "/proc/self/statm")
  local _, pages, filePages = file:read("n", "n", "n")
  return (pages - filePages) * 4096
end

function facts.tell(name, value)
  told[#told + 1] = string.format("%s=%.9f", name, value)
end

function facts.median(times)
  table.sort(times)
  return times[#times // 2 + 1]
end

function facts.tellTimes(times)
  facts.tell("median", facts.median(times))
  facts.tell("p99", times[#times * 99 // 100 + 1])
  facts.tell("max", times[#times])
end

-- Facts that must be the same for everyone who made the same changes.
function facts.tellResult(request)
  facts.tell("count", request:count())
  facts.tell("sum", store:sql("SELECT sum(time - 1500000000) AS sum FROM quake WHERE magnitude >= 2")[1].sum)
end

-- `result` may be any sequence: a live result, or the rows of one's sections.
function facts.verify(result, request)
  local fresh = request:fetch()
  assert(#result == #fresh, ("the live result has %d rows, a fresh fetch %d"):format(#result, #fresh))
  for index = 1, #fresh do
    if result[index] ~= fresh[index] then
      error(("row %d is %s, a fresh fetch has %s"):format(index, result[index], fresh[index]))
    end
  end
end

function facts.finish()
  io.stderr:write("end ", table.concat(told, " "), "\n")
end

return facts
