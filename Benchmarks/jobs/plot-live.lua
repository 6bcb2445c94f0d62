-- Commits one changed row after another, and draws a live plot after each: perilune STORE plot-live.lua

local p = plot(Quake, { x = "magnitude", xDomain = { 0, 10 } }):live()
local text = p:text()
local drawing = 0
local quakes = Quake:limit(200):fetch()
io.stderr:write "begin\n"
for _, quake in ipairs(quakes) do
  quake.magnitude = quake.magnitude < 5 and 6.5 or 1.5
  save()
  local begun = os.clock()
  text = p:text()
  drawing = drawing + os.clock() - begun
end
io.stderr:write(("end redraw=%.9f\n"):format(drawing / #quakes))
