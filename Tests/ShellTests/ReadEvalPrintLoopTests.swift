import Testing

@testable import Presentation
@testable import Session
@testable import Shell
@testable import Terminal

@Suite struct ReadEvalPrintLoopTests {
  let harness = LoopHarness()

  @Test func eachKindOfInputFindsItsWay() {
    #expect(harness.run(["x = 1", "=x", "?where", "?", "", ".5", "..y", ".timer", ". "]) == 0)
    #expect(
      harness.log.prefix(7) == ["1: x = 1", "1: x", "help where", "help ", "1: .5", "1: ..y", "print .timer off\n"])
  }

  @Test(arguments: [
    "exit", "quit", ":q", "\\q", ".q", ".quit", ".exit", " quit\n", "exit()", "quit();", "bye", "logout", ":wq",
  ])
  func everyHabitOfLeavingLeaves(_ word: String) {
    #expect(harness.run([word, "never"]) == 0)
    #expect(harness.log.isEmpty)
  }

  @Test func aPipeEndsWithItsFirstError() {
    harness.statuses["b"] = 75
    let editor = ScriptedEditor(
      [.block("a", firstLine: 1), .block("b", firstLine: 4), .block("c", firstLine: 5)], isInteractive: false)
    #expect(harness.run(editor) == 75)
    #expect(harness.log == ["1: a", "4: b"])
  }

  @Test func aWrongCommandEndsAPipeToo() {
    let editor = ScriptedEditor([.block(".moode", firstLine: 1), .block("c", firstLine: 2)], isInteractive: false)
    #expect(harness.run(editor) == 1)
    #expect(harness.log == ["there is no command .moode? .mode"])
  }

  @Test func aPersonGoesOnAfterAnError() {
    harness.statuses["b"] = 1
    #expect(harness.run(["a", "b", "c"]) == 0)
    #expect(harness.log == ["1: a", "1: b", "1: c"])
  }

  @Test func unsavedChangesAreAskedFor() {
    harness.changes = 3
    let editor = ScriptedEditor(blocks: ["quit", "c", "quit", "what?", "d"])
    #expect(harness.run(editor) == 0)
    let question = "3 unsaved changes: s)ave d)iscard c)ancel "
    #expect(editor.prompts == ["3> ", question, "3> ", question, question])
  }

  @Test func aSaveThatFailsStays() {
    harness.changes = 1
    harness.savesSucceed = false
    #expect(harness.run(["quit", "s", "a", "quit", "d"]) == 0)
    #expect(harness.log == ["save", "1: a"])
  }

  @Test func aTerminalThatOnlyEndsIsLeftInTheEnd() {
    harness.changes = 2
    let editor = ScriptedEditor([])
    #expect(harness.run(editor) == 0)
    #expect(harness.log == ["remark 2 unsaved changes not saved\n"])
  }

  @Test func aPipeIsNotAsked() {
    harness.changes = 3
    #expect(harness.run(ScriptedEditor([.block("quit", firstLine: 1)], isInteractive: false)) == 0)
    #expect(harness.log.isEmpty)
  }

  @Test func anInterruptGoesOn() {
    #expect(harness.run(ScriptedEditor([.interrupted, .block("a", firstLine: 1)])) == 0)
    #expect(harness.log == ["1: a"])
  }

  @Test func theTimerTells() {
    _ = harness.run([".timer on", "a", ".timer off", "b"])
    #expect(harness.log.count == 3)
    #expect(harness.log[1].hasPrefix("remark "))
    #expect(harness.log[1].hasSuffix(" ms\n"))
  }

  @Test func commandsAndHelpAreAlwaysComplete() {
    let unfinished: (String) -> Completeness = { _ in .incomplete }
    for text in [".mode json", "?where", "quit", "", "  "] {
      #expect(ShellInput(text).completeness(unfinished) == .complete)
    }
    #expect(ShellInput("do").completeness(unfinished) == .incomplete)
    #expect(ShellInput("=f(").completeness { $0 == "f(" ? .incomplete : .complete } == .incomplete)
  }

  @Test func swiftIsReadToTheEndOfItsBrackets() {
    let lua: (String) -> Completeness = { _ in .incomplete }
    for text in [
      "#Predicate<Quake> {", "NSPredicate(format: \"a == ')'\",", "@Query(sort: \\.time)", "FetchDescriptor<Quake>(",
    ] {
      #expect(ShellInput(text).completeness(lua) == .incomplete, "\(text)")
    }
    for text in ["#Predicate<Quake> {\n$0.a > 1 }", "NSPredicate(format: \"(\")", "@Query\nvar quakes: [Quake]"] {
      #expect(ShellInput(text).completeness(lua) == .complete, "\(text)")
    }
    // A length, and a list of Lua.
    for text in ["#results", "[1]", "NSFoo", "Query"] { #expect(ShellInput(text) == .code(text)) }
  }

  @Test func swiftIsRunAsTheLuaThatReadsIt() {
    #expect(harness.run(["#Predicate<Quake> { $0[0]]] }", "@Query var quakes: [Quake]"]) == 0)
    #expect(
      harness.log == [
        "1: Predicate [=[\n#Predicate<Quake> { $0[0]]] }\n]=]", "1: FetchRequest [[\n@Query var quakes: [Quake]\n]]",
      ])
  }
}
