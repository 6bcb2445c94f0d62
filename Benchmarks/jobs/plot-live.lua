-- Commits one changed row after another, and draws a live plot after each: perilune STORE plot-live.lua

local p = plot(Quake, { x = "magnitude", xDomain = { 0, 10 } }):live()
local characters = #p:text()
local drawing = 0
local quakes = Quake:limit(200):fetch()
io.stderr:write "begin\n"
for _, quake in ipairs(quakes) do
  quake.magnitude = quake.magnitude < 5 and 6.5 or 1.5
  save()
  local begun = os.clock()
  characters = characters + #p:text()
  drawing = drawing + os.clock() - begun
end
io.stderr:write(("end redraw=%.9f characters=%d\n"):format(drawing / #quakes, characters))
