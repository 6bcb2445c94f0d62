-- The model of LiveBoard. Types.swift is written from it:
--
--     perilune types --swift --schema BoardSchema --model model.lua > Types.swift

return Model {
  Quake = Entity {
    place = String { optional = false }, magnitude = Double { optional = false },
    country = ToOne "Country" { inverse = "quakes" },
  },
  Country = Entity {
    name = String { optional = false, unique = true },
    quakes = ToMany "Quake" { inverse = "country", deleteRule = "cascade" },
  },
}
