import Foundation
import Modeling
import PostgresTestSupport
import TestSupport
import Testing

/// A hidden property equals a value or does not; nothing else of it comes out by any way.
@Suite struct HidingTests {
  private func agent() throws -> Agent {
    var agent = try Agent()
    agent.options = ["--hide", "Quake.token"]
    return agent
  }

  @Test func equalityFindsTheObjects() throws {
    let results = try agent().call([
      ("find", ["entity": "Quake", "where": "token == 'secret-7'", "columns": ["code"]]),
      (
        "find",
        ["entity": "Quake", "where": "token == %@ AND magnitude > 1", "arguments": ["secret-7"], "columns": ["code"]]
      ),
      ("find", ["entity": "Quake", "where": "token == 'wrong'"]),
      ("find", ["entity": "Report", "where": "quake.token == 'secret-7'", "columns": ["quake.code"]]),
      ("ask", ["entity": "Quake", "where": "token == 'secret-7' OR code == 'us9'"]),
      ("run", ["script": "return Quake:where('token == %@', 'secret-9'):count(), Quake:exists 'token == \"x\"'"]),
    ])
    #expect(results[0]["rows"] == [["us7"]] && results[1]["rows"] == [["us7"]])
    #expect(results[2]["total"] == 0)
    #expect(results[3]["rows"] == [["us7"], ["us7"], ["us7"]])
    #expect(results[4]["rows"] == [[2]])
    #expect(results[5]["values"] == [1, false])
  }

  private typealias Way = (tool: String, arguments: JSON)

  private static let tools: [Way] = [
    ("describe", [:]), ("describe", ["entity": "Quake", "values": true]),
    ("find", ["entity": "Quake", "limit": 200]),
    ("find", ["entity": "Quake", "columns": ["token"]]), ("find", ["entity": "Quake", "columns": ["tokenLength"]]),
    ("find", ["entity": "Quake", "sort": ["token"]]), ("find", ["entity": "Report", "columns": ["quake.token"]]),
    ("ask", ["entity": "Quake", "group": ["token"]]), ("ask", ["entity": "Quake", "values": ["x": "max(token)"]]),
    ("ask", ["entity": "Quake", "group": ["place"], "values": ["x": "min(token)"]]),
    ("ask", ["entity": "Quake", "group": ["place"], "having": "max(token) > 'a'"]),
    ("ask", ["entity": "Report", "group": ["quake.token"]]), ("changes", [:]), ("changes", ["since": "0"]),
    ("explain", ["entity": "Quake", "where": "token == 'secret-7'"]),
    ("explain", ["entity": "Quake", "sort": ["token"]]),
    ("swift", ["entity": "Quake", "where": "magnitude > 1"]),
  ]

  private static let conditions: [String] = [
    "token != 'x'", "token > 'a'", "token >= 'secret-1'", "token BEGINSWITH 's'", "token CONTAINS 's'",
    "token LIKE 's*'", "token MATCHES 's.*'", "token ENDSWITH '7'", "token IN {'secret-7', 'b'}", "token == nil",
    "token != nil", "token ==[c] 'SECRET-7'", "NOT token == 'secret-7'", "length(token) > 3", "token == code",
    "token == token", "'secret-7' == token", "uppercase(token) == 'SECRET-7'", "token BETWEEN {'a', 'z'}",
    "ANY reports.quake.token > 'a'", "SUBQUERY(reports, $r, $r.quake.token > 'a').@count > 0",
    "TERNARY(token == 'secret-7', 1, 0) == 1", "tokenLength > 3", "CAST(token, 'NSNumber') > 1",
    "reports.quake.token.@count > 0", "token CONTAINS[cd] 's' OR TRUEPREDICATE",
  ]

  private static let scripts: [String] = [
    "return Quake:find('us7').token", "return Quake:find('us7')['token']",
    "for k, v in pairs(Quake:find('us7')) do print(k, v) end",
    "return Quake:find('us7')", "print(Quake:find('us7'))", "return encodeJSON(Quake:find('us7'))",
    "return Quake:all()",
    "export(Quake:all(), '-')", "show(Quake:all(), { columns = { 'token' } })",
    "show(Quake:all(), { columns = { t = function(q) return q.token end } })", "return Quake:all():sorted('token')",
    "return Quake:all():groupBy('token', { n = 'count' })", "return Quake:all():max('token')",
    "return Quake:all():facets()",
    "return Quake:all():summary()", "return Quake:all():sum('tokenLength')", "return store.model",
    "print(store.model.source)",
    "return store.model.entities", "describe(Quake)", "help('Quake')", "return store.notes", "return store:history()",
    "return store:history():last().changes", "return store.historyToken",
    "return store:sql('SELECT token FROM quake')",
    "local m = open(':memory:', { model = store.model }) store:copy(m) return m.entities.Quake:all()",
    "local m = open(':memory:', { model = Model { Quake = Entity { code = String, token = String } } }) store:copy(m) return m.entities.Quake:all()",
    "return FetchRequest { entity = Quake, resultType = 'dictionaries', propertiesToFetch = { 'token' } }:fetch()",
    "return FetchRequest { entity = Quake, predicate = 'token > \"a\"' }:fetch()",
    "return SectionedFetchRequest({ entity = Quake, sectionIdentifier = 'token' }):live()",
    "local l = Quake:all():live() return l, l[1].token", "return Quake:where('token == %@', 'secret-7'):explain()",
    "return Predicate('token == \"secret-7\"'):why(Quake:find 'us7')",
    "return Predicate('token > \"a\"'):counts(Quake)",
    "return Predicate('token > \"a\"'):matches(Quake:find 'us7')",
    "return Quake:where('token == %@', 'secret-7'):swift()",
    "return Expression('token'):value(Quake:find 'us7')", "return Quake:find('us7').reports[1].quake.token",
    "return SortDescriptor('token')", "return Quake:all():explain(), Quake:where('code > %@', 'a'):explain()",
    "return FetchRequest [[@FetchRequest(sortDescriptors: [SortDescriptor(\\.token)]) var q: FetchedResults<Quake>]]",
    "Quake:all():plot('token')", "return Quake:all():pivot('token', 'place')", "return context:diff()",
    "return Quake:find('us7').objectID", "return store:verify()",
    "local q = Quake:find 'us7' q.token = 'y' return q.token",
  ]

  /// All ways that were thought of by which a value might come out.
  private static let ways: [Way] = {
    var ways = tools
    for text in conditions {
      ways.append(("find", .object(["entity": "Quake", "where": .string(text)])))
      ways.append(("why", .object(["entity": "Quake", "where": .string(text), "id": "us7"])))
      ways.append(("run", .object(["script": .string("return #Quake:where(\(literal(text))):fetch()")])))
    }
    for text in scripts { ways.append(("run", .object(["script": .string(text)]))) }
    return ways
  }()

  private static func literal(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  @Test func noOtherWayLeadsToAValue() throws {
    let results = try agent().call(Self.ways)
    for (way, result) in zip(Self.ways, results) {
      // What the question says itself comes back in its mistakes.
      let asked = way.arguments.text
      for number in 1...120 where !asked.contains("secret-\(number)\\\"") && !asked.contains("secret-\(number)'") {
        #expect(!result.json.text.contains("secret-\(number)\""), "\(way): \(result.text.prefix(300))")
        #expect(!result.json.text.contains("secret-\(number) "), "\(way): \(result.text.prefix(300))")
      }
    }
  }

  @Test func aConditionOtherThanEqualityIsThatOfAnUnknownProperty() throws {
    let conditions = Self.ways.filter { $0.tool == "find" && $0.arguments["where"]?.string?.contains("oken") == true }
    #expect(conditions.count > 20)
    for (condition, result) in zip(conditions, try agent().call(conditions)) {
      #expect(result.isError, "\(condition.arguments.text) \(result.text.prefix(200))")
    }
  }

  @Test func theDescriptionNamesNeitherItNorWhatIsMadeOfIt() throws {
    let results = try agent().call([
      ("describe", [:]), ("describe", ["entity": "Quake"]), ("find", ["entity": "Quake", "where": "tokn == 1"]),
    ])
    for result in results { #expect(!result.text.lowercased().contains("token"), "\(result.text)") }
  }

  @Test(arguments: [
    (["--hide", "Quake.tokn"], "did you mean 'Quake.token'?"), (["--hide", "Quake.reports"], "is a relationship"),
    (["--hide", "token"], "expected ENTITY.PROPERTY"), (["--hide", "Quake.token", "--write"], "exclude each other"),
  ]) func whatHidesNothingIsRefusedAtTheBeginning(options: [String], expected: String) throws {
    let agent = try Agent()
    let process = Process()
    process.executableURL = BuiltProduct.perilune
    process.arguments = ["mcp", agent.store] + options
    let errors = Pipe()
    (process.standardInput, process.standardOutput, process.standardError) = (
      FileHandle.nullDevice, FileHandle.nullDevice, errors
    )
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus != 0 && text.contains(expected), "\(text)")
  }

  @Test func tablesOfOtherProgramsHideColumnsAlsoFromTheirViews() throws {
    let agent = try Agent()
    let plain = agent.folder.file("shop.sqlite")
    let sqlite = Process()
    sqlite.executableURL = URL(filePath: "/usr/bin/env")
    sqlite.arguments = [
      "python3", "-c",
      """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      c.executescript("CREATE TABLE user (id INTEGER PRIMARY KEY, name TEXT, token TEXT);"
        "INSERT INTO user VALUES (1, 'ann', 'secret-1'), (2, 'bob', 'secret-2');"
        "CREATE VIEW everything AS SELECT name, token AS other FROM user;")
      """, plain,
    ]
    try sqlite.run()
    sqlite.waitUntilExit()
    var shop = Agent(store: plain, in: agent.folder)
    shop.options = ["--hide", "*.token"]
    let entities = try #require(try shop.call("describe")["entities"]?.items.compactMap { $0["name"]?.string })
    let user = try #require(entities.first { $0.lowercased() == "user" })
    let view = try #require(entities.first { $0.lowercased() == "everything" })
    let results = try shop.call([
      ("find", ["entity": .string(user)]), ("find", ["entity": .string(view)]),
      ("find", ["entity": .string(user), "where": "token == 'secret-2'", "columns": ["name"]]),
    ])
    #expect(results[0]["columns"]?.text.contains("token") == false)
    #expect(results[1]["rows"]?.items.count == 2 && !results[1].text.contains("secret"))
    #expect(results[2]["rows"] == [["bob"]])
  }

  @Test(.enabled(if: PostgresServer.isInstalled)) func aDatabaseOnAServerHidesAsWell() throws {
    let server = try PostgresServer.shared.get()
    let folder = try TemporaryFolder()
    let address = server.address(of: try server.makeDatabase(for: "hide"))
    var agent = Agent(store: address, in: folder)
    try agent.run("use(open(\"\(address)\", { create = true, model = model }))\n" + Agent.filling)
    agent.options = ["--hide", "Quake.token"]
    let results = try agent.call(
      Self.ways + [("find", ["entity": "Quake", "where": "token == 'secret-7'", "columns": ["code"]])])
    #expect(results.last?["rows"] == [["us7"]], "\(results.last?.text ?? "")")
    for (way, result) in zip(Self.ways, results) {
      #expect(!result.json.text.contains("secret-11\""), "\(way)")
    }
  }
}
