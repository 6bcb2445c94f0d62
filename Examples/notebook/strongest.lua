-- What a script prints and shows is its page, in order.
-- It runs again when a quake changes, and when you save this file.

local strong = Quake:where "magnitude >= 6":sorted "-magnitude"
print(strong:count() .. " of " .. Quake:count() .. " earthquakes have a magnitude of 6 or more:")
show(strong, { columns = { "code", "magnitude", "place", "time" }, limit = 10 })

print "How many there are of each strength:"
show(Quake:all():plot { x = "magnitude" })
