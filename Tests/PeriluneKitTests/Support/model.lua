-- A model with everything that classes in Swift are written for. Everything.swift is written from it:
--
--     perilune types --swift --schema EverythingSchema --model model.lua > Everything.swift

return Model {
  Thing = Entity {
    id = Integer64, small = Integer16 { optional = false }, middle = Integer32, large = Int { optional = false }, price = Decimal,
    ratio = Double { optional = false }, share = Float, name = String { optional = false }, flag = Bool { optional = false },
    maybe = Bool, day = Date, key = UUID { optional = false }, link = URL, bytes = Data { optional = false },
    extra = Transformable, loud = Derived { type = String, "uppercase(name)" },
    place = Composite {
      optional = false, latitude = Double { optional = false }, label = String,
      since = Date, inner = Composite { code = Decimal, tag = UUID },
    },
    origin = Composite { latitude = Double, elements = String },
    ["class"] = String, ["init"] = String, ["strange name"] = String, objectID = String, self = Int,
    owner = ToOne "Person" { inverse = "things" },
    parts = ToMany "Part" { inverse = "whole", ordered = true, deleteRule = "cascade" },
    namesakes = FetchedProperty { entity = "Thing", predicate = "name == $FETCH_SOURCE.name", sortDescriptors = { "small" } },
  },
  Gadget = Entity { watts = Int, _ = { parent = "Thing" } },
  Part = Entity { whole = ToOne "Thing" { inverse = "parts" }, number = Int },
  Being = Entity { name = String, _ = { abstract = true } },
  Person = Entity { things = ToMany "Thing" { inverse = "owner" }, _ = { parent = "Being" } },
  Date = Entity { at = Date },
}
