import Testing

/// Columns that are questions: `columns = { "code", "mainshock.code", age = function(q) ... end }`.
@Suite struct ColumnRequestTests {
  /// Three quakes, one of them with a mainshock and reports.
  private static let store = """
    use(open(":memory:", { model = Model {
      Quake = Entity {
        code = String { unique = true }, magnitude = Double, reports = ToMany "Report" { inverse = "quake" },
        mainshock = ToOne "Quake" { inverse = "aftershocks" }, aftershocks = ToMany "Quake" { inverse = "mainshock" },
        _ = { order = { "code", "magnitude" } },
      },
      Report = Entity { text = String, quake = ToOne "Quake" { inverse = "reports" } },
    } }))
    local main = Quake { code = "a", magnitude = 7 }
    Quake { code = "b", magnitude = 5.5, mainshock = main, reports = { Report { text = "x" }, Report { text = "y" } } }
    Quake { code = "c", magnitude = 4 }
    save()
    local quakes = Quake:sorted "code"

    """

  private func output(_ chunk: String) throws -> (output: String, errors: String) {
    let result = try BuiltProgram().run(script: Self.store + chunk)
    return (result.output, result.errors)
  }

  private static let columns = """
    { "code", "mainshock.code", { "magnitude * 2", title = "twice" }, { "reports.@count", title = "n" },
      last = function(q) return q.magnitude > 5 and Date(0) or nil end, big = "uppercase(code)" }
    """

  @Test func columnsAreKeyPathsExpressionsAndFunctionsInTheOrderWritten() throws {
    let result = try output("show(quakes, { mode = 'csv', columns = \(Self.columns) })")
    #expect(result.errors == "")
    #expect(
      result.output
        == """
        code,mainshock.code,twice,n,big,last
        a,,14.0,0,A,1970-01-01T00:00:00Z
        b,a,11.0,2,B,1970-01-01T00:00:00Z
        c,,8.0,0,C,

        """)
  }

  @Test(arguments: ["quakes", "quakes:fetch()", "quakes:live()", "quakes:fetch():slice(1, 3)", "Quake"])
  func everythingWithObjectsTakesThem(value: String) throws {
    let result = try output(
      "show(\(value), { mode = 'ndjson', columns = { { 'reports.@count', title = 'n' }, 'mainshock.code' } })")
    #expect(result.errors == "")
    #expect(
      result.output.split(separator: "\n").sorted() == [
        #"{"n":0,"mainshock.code":null}"#, #"{"n":0,"mainshock.code":null}"#, #"{"n":2,"mainshock.code":"a"}"#,
      ])
  }

  @Test func exportsAndStatementsTakeThem() throws {
    let result = try output(
      """
      print(export(quakes, "x.csv", { columns = { "code", up = function(q) return q.code:upper() end } }))
      for line in io.lines "x.csv" do print(line) end
      show(quakes, { mode = "insert", columns = { { "code", title = "name" }, "reports.@count" }, limit = 1 })
      show(quakes, { mode = "lua", columns = { "mainshock" , "mainshock.mainshock" }, limit = 2 })
      """)
    #expect(result.errors == "")
    #expect(
      result.output == """
        3
        code,up
        a,A
        b,B
        c,C
        INSERT INTO "Quake"("name","reports.@count") VALUES('a',0);
        {
          {},
          { mainshock = 1 },
        }

        """)
  }

  @Test func mistakesNameTheColumn() throws {
    func message(_ columns: String) throws -> String {
      try output("print(select(2, pcall(show, quakes, { columns = \(columns) })))").output
    }
    #expect(try message("{ 'cod' }") == "Quake has no column 'cod'; did you mean 'code'?\n")
    #expect(try message("{ 5 }").hasPrefix("show: columns: column 1: expected a key path, an expression, a function"))
    #expect(try message("{ x = true }").hasPrefix("show: columns: column 'x': expected"))
    #expect(try message("{ 'mainshock.cod' }").contains("did you mean 'code'?"))
    #expect(try message("{ x = function(q) return q.nope end }").contains("nope"))
  }
}
