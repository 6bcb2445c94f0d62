-- A page with an input: the function that is given to serve makes it again when the input is set.

local country = State "all"
local countries = { "all" }
for _, facet in ipairs(Network:all():facets "country") do
  if facet.value then table.insert(countries, facet.value) end
end

serve(function(page)
  local stations = Station:all()
  if country.value ~= "all" then stations = stations:where("network.country == %@", country.value) end
  page:navigationTitle "Stations"
  page:Picker("country", country, countries)
  page:Text(stations:count() .. " stations")
  page:Table(stations:sorted "name", { columns = { "code", "name", "network.code", "opened" } })
end)
