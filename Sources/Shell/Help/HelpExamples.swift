internal import LuaBindings

/// The examples at the end of help pages: Lua that runs on the sample store of earthquakes.
///
///     HelpExamples.example(of: entry)       // Quake:where("magnitude > %@", 5):limit(3)
///
/// To add a member to the catalog, add how it is called here; a test runs every example, and finds what has none.
enum HelpExamples {
  /// The example for an entry of the catalog; nil where none can be run.
  static func example(of entry: CatalogEntry) -> String? {
    if let own = whole[entry.title] { return own }
    switch entry.kind {
    case .function: return whole[entry.owner.isEmpty ? entry.name : "\(entry.owner).\(entry.name)"]
    case .option: return whole[entry.owner]
    case .property: return makers[entry.owner].map { "\($0).\(entry.name)" } ?? whole[entry.owner]
    case .method where entry.owner == "Hook":
      return "function Quake:\(entry.name)(\(entry.name == "validateProperty" ? "value" : "")) print(self.code) end"
    case .method:
      guard let maker = makers[entry.owner], let call = calls[entry.title] ?? calls[entry.name] else { return nil }
      return "\(maker):\(entry.name)\(call)"
    }
  }

  /// How a thing of each kind is had.
  private static let makers: [String: String] = [
    "Date": #"Date("2024-01-22")"#, "Decimal": #"Decimal("1.10")"#, "Model": "store.model", "Store": "store",
    "MigrationPlan": "store:migrationPlan(store.model)", "Context": "context", "Entity": "Quake",
    "Object": "Quake:first()", "Collection": "Quake:first().reports", "Predicate": #"Predicate("magnitude > %@", 3)"#,
    "Expression": #"Expression("magnitude * 2")"#,
    "SortDescriptor": #"SortDescriptor("time", "reverse")"#, "Request": #"Quake:where("magnitude > 3")"#,
    "Result": "Quake:all():fetch()", "ObjectID": "Quake:first().objectID",
    "Error": #"select(2, pcall(Quake.where, Quake, "magnitud > 5"))"#,
    "ObservationToken": #"Quake:on("insert", print)"#, "History": "store:history()",
    "FetchedResults": #"Quake:sorted("-magnitude"):live()"#,
    "Sections": #"SectionedFetchRequest({ entity = Quake, sectionIdentifier = "place" }):live()"#,
    "Section": #"SectionedFetchRequest({ entity = Quake, sectionIdentifier = "place" }):live()[1]"#,
    "FetchedValues": #"Quake:all():grouped("place", { n = "count" }):live()"#, "State": "State(5)",
    "Binding": "State({ x = 5 }):binding()", "Effect": "effect(function() print(Quake:count()) end)",
    "Storage": #"SceneStorage("minimum", 5)"#, "Environment": "Environment", "Namespace": "Namespace()",
    "HistoryObserver": "HistoryObserver({ store = store })", "Plot": #"plot(Quake, { x = "magnitude" })"#,
  ]

  /// What follows a method's name, by its title, or by its name where it is the same for all kinds.
  private static let calls: [String: String] = [
    "toNumber": "()", "source": #"("lua")"#, "difference": "(store.model)", "newContext": "()",
    "migrationPlan": "(store.model)", "sql": #"("SELECT count(*) AS n FROM quake WHERE magnitude > ?", 3)"#,
    "history": "({ limit = 10 })", "deleteHistory": "({ before = Date(0) })", "verify": "()", "doctor": "()",
    "on": #"("insert", print)"#, "Store:on": #"("remoteChange", print)"#, "Context:on": #"("didSave", print)"#,
    "save": "()", "rollback": "()", "reset": "()", "processPendingChanges": "()", "refreshAllObjects": "()",
    "transaction": "(function() Quake:first().magnitude = 5 end)", "diff": "()",
    "Request:diff": #"(Quake:where("magnitude > 4"))"#, "undo": "()", "redo": "()",
    "undoGroup": "(function() Quake:first().magnitude = 5 end)", "newChild": "()",
    "perform": "(function() return Quake:count() end)", "performAndWait": "(function() return Quake:count() end)",
    "find": #"("us1")"#, "all": "()", "where": #"("magnitude > %@", 3)"#, "count": "()", "first": "()", "exists": "()",
    "Collection:where": #"("text CONTAINS[c] %@", "felt")"#, "Collection:sorted": #"("text")"#,
    "Collection:sum": #"("quake.magnitude")"#, "Collection:average": #"("quake.magnitude")"#,
    "Collection:min": #"("text")"#, "Collection:max": #"("text")"#,
    "Collection:aggregate": #"("count(text)")"#, "aggregate": #"({ n = "count", biggest = "max(magnitude)" })"#,
    "Collection:groupBy": #"("text", { n = "count" })"#, "Collection:grouped": #"("text", { n = "count" })"#,
    "batchInsert": #"({ { code = "x1", magnitude = 5 }, { code = "x2" } })"#,
    "batchUpdate": #"({ "magnitude > %@", 3 }, { place = "far" })"#, "batchDelete": #"("magnitude > 9")"#,
    "sorted": #"("-magnitude", "place")"#, "limit": "(3)", "offset": "(2)", "fetch": "()", "page": "(1, 50)",
    "each": "()", "sum": #"("magnitude")"#, "average": #"("magnitude")"#, "min": #"("magnitude")"#,
    "max": #"("magnitude")"#, "groupBy": #"("place", { n = "count", biggest = "max(magnitude)" })"#,
    "grouped": #"("place", { n = "count" })"#, "explain": "()", "Predicate:explain": "(Quake)", "live": "()",
    "with": "({ fetchLimit = 10 })", "changedValues": "()", "committedValues": "()", "validate": "()",
    "value": #"("reports.@count")"#, "set": #"("magnitude", 5)"#, "refresh": "({ mergeChanges = true })",
    "delete": "()", "Request:delete": "()", "update": #"({ place = "far" })"#,
    "observe": #"("magnitude", function(new, old) print(new, old) end)"#, "list": "()",
    "contains": "(Report:first())", "indexOf": "(Quake:first())", "Collection:indexOf": "(Report:first())",
    "add": #"(Report({ text = "felt it" }))"#, "remove": "(Report:first())",
    "bind": "({ since = 1 })", "Predicate:bind": "({})", "Request:bind": "({})", "evaluate": "(Quake:first())",
    "counts": "()", "Predicate:counts": "(Quake)", "why": "(Quake:first())", "check": "()",
    "Predicate:check": "(Quake)", "parity": "()", "Predicate:parity": "(Quake)", "swift": #"("nspredicate")"#,
    "Request:swift": #"("fetchRequest")"#, "History:swift": "()",
    "tryIndex": #"("magnitude")"#, "slice": "(1, 3)", "cancel": "()",
    "last": "()", "objects": "()", "objectIDs": "()", "configure": #"({ predicate = "magnitude > 3" })"#,
    "section": #"("Suva")"#, "onChange": "(function(change) print(change) end)",
    "HistoryObserver:onChange": "(function(observer) print(observer.eventCounter) end)", "close": "()",
    "FetchedResults:binding": #"("sortDescriptors")"#, "FetchedValues:binding": #"("predicate")"#, "binding": "()",
    "at": #"("x")"#, "default": "(0)", "unwrapped": "()", "animation": #"("spring")"#,
    "map": "({ get = tostring, set = tonumber })", "tag": #"("hero", Quake:first(), { source = true })"#,
    "untag": #"("hero")"#, "resolve": #"("hero")"#, "readers": #"("hero")"#, "backup": #"("copy.sqlite")"#,
    "summary": "()", "facets": #"("place")"#, "Collection:facets": #"("text")"#,
    "references": "()", "tree": "({ depth = 1 })", "pivot": #"({ rows = "place", columns = "magnitude" })"#,
    "Collection:pivot": #"({ rows = "text", columns = "length(text)" })"#, "plot": #"({ x = "magnitude" })"#,
    "Plot:save": #"("magnitudes.svg")"#,
    "Collection:plot": #"({ x = "text" })"#, "text": "({ width = 40 })",
    "mergeChanges": "(store:history())", "beginUndoGrouping": "()", "undoSave": "()", "redoSave": "()",
  ]

  /// Examples that are more than one call, by title, by the name of a function, or by the owner of options.
  private static let whole: [String: String] = [
    "Model": #"Model { Quake = Entity { code = String { unique = true }, magnitude = Double, time = Date } }"#,
    "loadModel": #"loadModel "Recipes.xcdatamodeld""#,
    "Entity": #"Model { City = Entity { name = String { indexed = true }, _ = { indexes = { { "name" } } } } }"#,
    "Attribute": "Model { City = Entity { name = String { optional = false, maxLength = 80 } } }",
    "Relationship":
      #"Model { A = Entity { bs = ToMany "B" { deleteRule = "cascade" } }, B = Entity { a = ToOne "A" { inverse = "bs" } } }"#,
    "Derived": #"Model { Quake = Entity { time = Date, day = Derived { type = String, "day(time)" } } }"#,
    "FetchedProperty":
      #"Model { Quake = Entity { magnitude = Double, strong = FetchedProperty { entity = "Quake", predicate = "magnitude > 6" } } }"#,
    "ToOne": #"Model { A = Entity { name = String }, B = Entity { a = ToOne "A" } }"#,
    "ToMany": #"Model { A = Entity { bs = ToMany "B" { inverse = "a" } }, B = Entity { a = ToOne "A" } }"#,
    "Predicate": #"Predicate("magnitude >= %@ AND place CONTAINS[cd] %@", 3, "japan")"#,
    "Expression": #"Quake:sorted(Expression "magnitude * 2")"#,
    "SortDescriptor": #"Quake:sorted(SortDescriptor("place", "forward", { comparator = "localized" }))"#,
    "FetchRequest": #"FetchRequest { entity = Quake, predicate = "magnitude > 3", fetchLimit = 10 }"#,
    "SectionedFetchRequest":
      #"SectionedFetchRequest({ entity = Quake, sectionIdentifier = "place" }):live()"#,
    "open": #"open(":memory:", { model = store.model })"#, "use": "use(store)", "save": #"save { author = "me" }"#,
    "rollback": "rollback()", "undo": "undo()", "redo": "redo()",
    "import": #"export(Quake, "q.csv", { force = true }) import(Quake, "q.csv", { upsert = "code" })"#,
    "after": #"after(1, function() print("a second later") end)"#,
    "every": #"local ticks = every(1, function() print("tick") end) ticks:cancel()"#,
    "runLoop": "after(0, stopLoop) runLoop { seconds = 1 }", "stopLoop": "after(0, stopLoop) runLoop()",
    "Query": #"Query { entity = Quake, filter = "magnitude > 3", sort = "time", order = "reverse" }"#,
    "HistoryObserver": "HistoryObserver { store = store }",
    "plot": #"plot(Quake, { x = "time", y = "magnitude" })"#,
    "ResultsObserver": #"ResultsObserver { entity = Quake, filterBy = "magnitude > 3", sortBy = "-time" }"#,
    "Preference":
      #"Preference.define("width", 0, math.max) Preference.collect("width", function() Preference.set("width", 3) end)"#,
    "Preference.define": #"Preference.define("width", 0, math.max)"#,
    "Preference.set":
      #"Preference.define("width", 0) Preference.collect("width", function() Preference.set("width", 3) end)"#,
    "Preference.collect":
      #"Preference.define("width", 0) Preference.collect("width", function() Preference.set("width", 3) end)"#,
    "DynamicProperty":
      #"DynamicProperty({ text = "", update = function(self) self.text = os.date("%H:%M") end }).text"#,
    "State": "local s = State(5) s.value = 6", "Observable": #"local o = Observable { name = "Ada" } o.name = "Grace""#,
    "Bindable": "Bindable(Quake:first()).magnitude", "effect": "effect(function() print(Quake:count()) end):cancel()",
    "withObservationTracking":
      #"local s = State(1) withObservationTracking(function() return s.value end, function() print "changed" end) s.value = 2"#,
    "Plot:onChange":
      #"plot(Quake, { x = "magnitude" }):live():onChange(function() print("drawn anew") end) Quake:first().magnitude = 9 save()"#,
    "onChange": "local s = State(1) onChange(function() return s.value end, print, { initial = true }) s.value = 2",
    "AppStorage": #"AppStorage("minimum", 5).value"#, "SceneStorage": #"SceneStorage("filter", "").value"#,
    "edit": "edit(function(child) Quake:first().magnitude = 5 end)", "Namespace": "Namespace()",
    "withAnimation": #"withAnimation("easeIn", function() Quake:first().magnitude = 5 end)"#,
    "withTransaction": #"withTransaction({ animation = "easeIn" }, function() Quake:first().magnitude = 5 end)"#,
    "Integer16": "Integer16 { min = 0 }", "Integer32": "Integer32 { min = 0 }", "Integer64": "Integer64 { min = 0 }",
    "Int": #"Int "42""#, "Decimal": #"Decimal "1.10" + 1"#, "Double": #"Double "1.5""#, "Float": "Float { min = 0 }",
    "String": "String { optional = false, maxLength = 80 }", "Bool": "Bool { default = false }",
    "Date": #"Date "2024-01-22T16:26:12Z" + 3600"#, "UUID": "UUID()", "URL": #"URL "https://example.org""#,
    "Data": #"Data "bytes""#, "Transformable": "Transformable {}",
    "Composite": "Composite { latitude = Double, longitude = Double }",
    "Binding":
      "local n = 1 local b = Binding { get = function() return n end, set = function(v) n = v end } b.value = 2",
    "Binding.constant": "Binding.constant(3).value", "Environment": "Environment.managedObjectContext",
    "Environment.define": #"Environment.define("locale", "en")"#,
    "Environment.with":
      "Environment.with({ managedObjectContext = context:newChild() }, function() return Quake:count() end)",
    "show": #"show(Quake:all(), { mode = "csv", columns = { "code", "magnitude" } })"#,
    "watch": #"if false then watch(Quake:where "magnitude > 3") end"#,
    "progress": #"for i, quake in progress(Quake:fetch(), "reading") do print(i, quake.code) break end"#,
    "repl": #"if false then repl() end"#,
    "browse": #"if false then browse(Quake:where "magnitude > 3") end"#,
    "export": #"export(Quake:where "magnitude > 3", "strong.csv")"#, "help": #"help "where""#,
    "encodeJSON": #"encodeJSON({ place = "Suva", depths = { 10, 35 } }, { pretty = true })"#,
    "decodeJSON": #"decodeJSON('{ "place": "Suva" }').place"#,
    "Date:format": #"Date("2024-01-22"):format("%d.%m.%Y")"#,
    "describe": "describe(Quake)", "batchInsert": #"Quake:batchInsert({ { code = "us1" } }, { upsert = "code" })"#,
    "history": #"store:history { author = "import", limit = 10 }"#,
    "Entity.computed": "function Quake.computed.isStrong(q) return q.magnitude > 3 end print(Quake:first().isStrong)",
    "Context:endUndoGrouping": "context:beginUndoGrouping() Quake:first().magnitude = 5 context:endUndoGrouping()",
    "Context:beginUndoGrouping": "context:beginUndoGrouping() Quake:first().magnitude = 5 context:endUndoGrouping()",
    "Entity:each": "for q in Quake:each() do print(q.code) end",
    "Request:each": #"for q in Quake:where("magnitude > 3"):each() do print(q.code) end"#,
    "Collection:each": "for report in Quake:first().reports:each() do print(report.text) end",
    "Collection:insert": "-- of an ordered to-many\nprint(#Quake:first().reports)",
    "Collection:move": "-- of an ordered to-many\nprint(#Quake:first().reports)",
    "Store:copy": #"store:copy(open(":memory:", { model = store.model }))"#,
    "Store:undoSave": "Quake:first().magnitude = 5 save() store:undoSave()",
    "Store:redoSave": "Quake:first().magnitude = 5 save() store:undoSave() store:redoSave()",
    "Store:close": #"open(":memory:", { model = store.model }):close()"#,
    "Store:historyToken": "store.historyToken",
    "Predicate:bind": #"Predicate("magnitude > $least"):bind { least = 3 }"#,
    "Expression:bind": #"Expression("magnitude * $factor"):bind { factor = 3 }"#,
    "Expression:swift": #"Expression("magnitude * 2"):swift("macro", { entity = Quake })"#,
    "Request:bind": #"Quake:where("magnitude > $least"):bind { least = 3 }"#,
    "Request:having": #"Quake:all():grouped("place", { n = "count" }):having("n > 1")"#,
    "Store:counterpart":
      "-- in open(path, { model = new, migrate = function(old, new) print(new:counterpart(old.entities.Quake:first())) end })",
    "Store:fetchRequest": templates + #" s:fetchRequest("strong", { least = 3 })"#,
    "Model:fetchRequest": templates + #" s.model:fetchRequest("strong", { least = 3 })"#,
    "Entity:template": templates + #" s.entities.Q:template("strong", { least = 3 })"#,
    "Change": changes, "Transaction": transactions, "HistoryChange": transactions,
    "Namespace:tag": #"local n = Namespace() n:tag("hero", Quake:first())"#,
  ]

  private static let templates =
    #"local s = open(":memory:", { model = Model { Q = Entity { m = Int }, _ = { templates = { strong = { entity = "Q", predicate = "m > $least" } } } } })"#
  private static let changes =
    #"Quake:all():live():onChange(function(change) print(#change.inserted, change.kind) end) Quake { code = "new" } context:processPendingChanges()"#
  private static let transactions =
    #"store.historyEnabled = true Quake:first().magnitude = 5 save() local t = store:history():last() print(t.author, t.changes[1])"#
}
