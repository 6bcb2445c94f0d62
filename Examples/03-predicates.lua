-- Predicates are written in NSPredicate's format language and answered by the store.

local model = Model {
  Person = Entity {
    name = String { optional = false, unique = true },
    age = Int,
    city = String,
    _ = { order = { "name", "age", "city" } },
  },
}

local store <close> = open(":memory:", { model = model })
local Person = store.entities.Person

Person { name = "Zoë", age = 31, city = "Zürich" }
Person { name = "Anders", age = 58, city = "Malmö" }
Person { name = "Chloé", age = 17, city = "Paris" }
Person { name = "chris", age = 44 }
Person { name = "Nobody" }
store.context:save()

local function names(predicate)
  local list = {}
  for person in Person:where(predicate):sorted("name"):each() do
    list[#list + 1] = person.name
  end
  return table.concat(list, " ")
end

print("comparison", names { "age >= %@ AND age < %@", 18, 50 })
print("between", names { "age BETWEEN %@", { 17, 31 } })
print("in", names { "city IN %@", { "Paris", "Malmö" } })
print("case", names "name BEGINSWITH 'ch'")
print("no case", names "name BEGINSWITH[c] 'ch'")
print("no accents", names "name CONTAINS[cd] 'LOE' OR name ==[cd] 'zoe'")
print("like", names "name LIKE '*r?s'")
print("matches", names "name MATCHES '[A-C].*'")
print("nothing", names "age == nil")
print("something", names "city != nil AND NOT (city == 'Paris')")

-- A value stands for itself whatever it holds: it is never read as part of the predicate.
print("quotes", names { "name == %@", "' OR TRUEPREDICATE OR name == '" } == "")

-- Predicates are values: they combine, take their variables later, and print.
local grown = Predicate("age >= %@", 18)
local swiss = Predicate "city == 'Zürich'"
print("and", names(grown & swiss))
print("or", names(grown | swiss))
print("not", names(~grown))
print("bound", names(Predicate("age > $limit"):bind { limit = 40 }))
print(tostring(grown & swiss))

-- One object, in memory: true, false, or nil where a nil was compared
print(grown:evaluate(Person:find "Zoë"), grown:evaluate(Person:find "Chloé"), grown:evaluate(Person:find "Nobody"))
