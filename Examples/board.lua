-- A dashboard of earthquakes in the browser: perilune quakes.sqlite Examples/board.lua
--
-- The page is made again when an input is set, and when any program changes the store.

local minimum, status, place = State(4), State "all", State ""

local function selected()
  local quakes = Quake:where("magnitude >= %@", minimum.value)
  if status.value ~= "all" then quakes = quakes:where("status == %@", status.value) end
  if place.value ~= "" then quakes = quakes:where("place CONTAINS[cd] %@", place.value) end
  return quakes:sorted "-magnitude"
end

serve(function(page)
  local quakes = selected()
  page:navigationTitle "Earthquakes"
  page:Text(quakes:count() .. " of " .. Quake:count() .. " earthquakes")

  page:Slider("magnitude from", minimum, { from = 2, to = 7, step = 0.5 })
  page:Picker("status", status, { "all", "automatic", "reviewed" })
  page:TextField("place", place)
  page:Button("Start again", function()
    minimum.value, status.value, place.value = 4, "all", ""
  end)

  page:Section "The strongest"
  page:Table(quakes, { columns = { "code", "magnitude", "place", "time", "status" }, limit = 10 })

  page:Section "How many of each strength"
  page:Chart(quakes:plot { x = "magnitude" })

  page:Section "When"
  page:Chart(quakes:plot { x = "time", y = "magnitude" })
end)
