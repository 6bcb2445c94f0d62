import Testing

@testable import Shell

/// What is a function, and people take it for a method of what they want to see.
@Suite struct FunctionsOfValuesTests {
  @Test(arguments: [
    ("Quake:export('x.csv')", "Quake has no 'export', which is a function: export(Quake, …)"),
    (
      "Quake:where('magnitude > 2'):export('x.csv')", "request has no 'export', which is a function: export(request, …)"
    ),
    ("Quake:all():browse()", "request has no 'browse', which is a function: browse(request)"),
    ("Quake:all():fetch():show()", "result has no 'show', which is a function: show(it, …)"),
    ("Quake:all():shw()", "request has no 'shw'"),
  ])
  func aFunctionThatIsCalledAsAMethodIsNamed(_ line: String, _ message: String) throws {
    let program = try BuiltProgram.withStore()
    let result = try program.run(["quakes.sqlite", "-e", line])
    #expect(result.status == 1)
    #expect(result.errors.contains("error: \(message)\n"), "\(result.errors)")
  }

  @Test func theBeginningOfACommandLeadsToIt() throws {
    let program = try BuiltProgram.withStore()
    for (typed, meant) in [(".hist", "history"), (".ent", "entities"), (".histroy", "history"), (".desc", "describe")] {
      let result = try program.run(["quakes.sqlite", "-e", typed])
      #expect(result.errors.contains("did you mean '.\(meant)'?"), "\(result.errors)")
    }
  }
}
