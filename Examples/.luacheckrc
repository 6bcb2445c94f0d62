-- luacheck --config Examples/.luacheckrc Examples
std = "lua54"
read_globals = {
  -- Attribute types, which make values too, and the words of a model
  "Integer16", "Integer32", "Integer64", "Int", "Decimal", "Double", "Float", "String", "Bool", "Date", "UUID", "URL",
  "Data", "Transformable", "Composite", "Derived", "FetchedProperty", "Model", "Entity", "ToOne", "ToMany",
  -- Requests
  "Predicate", "SortDescriptor", "FetchRequest", "SectionedFetchRequest", "null",
  -- Stores and seeing
  "open", "use", "store", "context", "save", "rollback", "undo", "redo", "plot", "show", "export", "import", "describe",
  -- Live results, reactive values and the loop
  "Query", "State", "Binding", "Observable", "Bindable", "effect", "withObservationTracking", "withAnimation", "Environment",
  "AppStorage", "SceneStorage", "Namespace", "HistoryObserver", "progress", "repl", "after", "every", "runLoop", "stopLoop",
  "serve",
}
-- The entities of the store that these are run on
files["**/flights/questions.lua"].read_globals = { "Airline", "Airport", "Plane", "Weather", "Flight" }
files["**/flights/questions-sqlite.lua"].read_globals = { "Airlines", "Airports", "Planes", "Weather", "Flights" }
files["**/board.lua"].read_globals = { "Quake" }
files["**/notebook/*.lua"].read_globals = { "Network", "Quake", "Station" }
files["**/jobs/*.lua"].read_globals = { "Quake" }
files["**/work/*.lua"].read_globals = { "perilune", "Expression" }
files["**/work/*.lua"].max_line_length = 145
files["**/work/simulation.lua"].read_globals = { "interruptAt" }
files["**/work/simulation.lua"].globals = { "turn", "check" }
