import Foundation
import Testing

/// `perilune test` runs each test on a store of its own, and says of a failing one where and with which values.
@Suite struct SpecRunTests {
  private func program(_ spec: String) throws -> BuiltProgram {
    let program = try BuiltProgram()
    try program.write(
      "model.lua", "return Model { Book = Entity { title = String, pages = Integer64 { default = 0 } } }")
    try program.write("a_spec.lua", spec)
    return program
  }

  private func run(_ spec: String, _ arguments: [String] = []) throws -> BuiltProgram.Result {
    try program(spec).run(["test", "--model", "model.lua"] + arguments)
  }

  @Test func nothingThatATestLeavesReachesTheNext() throws {
    let result = try run(
      """
      local count = 0
      test("first", function()
        Book { title = "Emma" } save()
        leaked, count = true, count + 1
        expect(Book:count()):equals(1)
      end)
      test("second", function()
        expect(Book:count()):equals(0)
        expect(leaked):isNil()
        expect(count):equals(0)
      end)
      """, ["a_spec.lua"])
    #expect(result.output.hasPrefix("2 passed, 0 failed, in "), "\(result.output)")
    #expect(result.status == 0)
  }

  @Test func storesAreExpectedToEqualAFile() throws {
    let program = try program(
      """
      test("equal", function()
        Book { title = "Emma", pages = 2 } save()
        expect(store):equals("wanted.sqlite", { by = "title" })
        expect(store):equals(store)
      end)
      test("ignored", function()
        Book { title = "Emma", pages = 3 } save()
        expect(store):equals("wanted.sqlite", { by = "title", ignore = { "pages" } })
      end)
      test("different", function()
        Book { title = "Emma", pages = 3 } save()
        expect(store):equals("wanted.sqlite", { by = "title" })
      end)
      """)
    let made = try program.run(
      ["--model", "model.lua", "--create", "wanted.sqlite", "-e", "Book { title = 'Emma', pages = 2 } save()"])
    #expect(made.status == 0, "\(made)")
    let result = try program.run(["test", "--model", "model.lua", "a_spec.lua", "--tap"])
    #expect(result.output.contains("ok 1 - a_spec.lua: equal\nok 2 - a_spec.lua: ignored\nnot ok 3"), "\(result)")
    #expect(result.output.contains("~ Book Emma: pages 2 → 3"), "\(result)")
    #expect(result.output.contains("a_spec.lua:12: expected the objects of wanted.sqlite, got:"), "\(result)")
  }

  static let failures: [(String, String)] = [
    ("expect(1):equals(2)", "expected 2, got 1"),
    ("expect({ 1, { a = 2 } }):equals { 1, { a = 3 } }", "at 2: expected table"),
    ("expect 'a':equals 'b'", #"expected "b", got "a""#),
    ("expect 'a\\nb':equals 'b'", #"expected "b", got "a\nb""#),
    ("expect(nil):equals(1)", "expected 1, got nil"),
    ("expect(1):differs(1)", "expected anything but 1"),
    ("expect(false):isNil()", "expected nil, got false"),
    ("expect(1):isTrue()", "expected true, got 1"),
    ("expect(nil):isFalse()", "expected false, got nil"),
    ("expect(1.5):isNear(2, 0.1)", "expected 2, 0.1 at most away, got 1.5"),
    ("expect('abc'):contains('x')", #"expected a text with "x", got "abc""#),
    ("expect({ 1, 2 }):contains(3)", "expected a list with 3, got 2 elements without it"),
    ("expect(function() end):fails()", "expected an error, but it succeeded"),
    ("expect(function() error 'no' end):fails 'yes'", #"expected an error with "yes", got "#),
    ("expect(1):equal(1)", "there is no expectation 'equal'; there are contains, differs"),
    ("prnt(1)", "attempt to call a nil value (global 'prnt'); did you mean 'print'?"),
    ("Book:where 'titel == 1'", "Book has no property 'titel'; did you mean 'title'?"),
    ("os.exit(3)", "it called os.exit(3)"),
  ]

  @Test func aFailureHasItsLineAndItsValues() throws {
    let spec = Self.failures.enumerated().map { "test(\"t\($0)\", function()\n  \($1.0)\nend)" }
    let result = try run(spec.joined(separator: "\n"))
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.count == Self.failures.count + 1)
    for (number, (failure, line)) in zip(Self.failures, lines).enumerated() {
      #expect(line.hasPrefix("./a_spec.lua:\(number * 3 + 2):"), "\(line)")
      #expect(line.contains("failed: t\(number): \(failure.1)"), "\(line)")
    }
    #expect(lines.last?.hasPrefix("0 passed, \(Self.failures.count) failed") == true)
    #expect(result.status == 1)
  }

  @Test func whatHoldsIsNoFailure() throws {
    let result = try run(
      """
      test("all", function()
        expect({ 1, { a = 2 } }):equals { 1, { a = 2 } }
        expect(0/0):equals(0/0)
        expect(nil):equals(nil)
        expect(1):differs(2)
        expect(nil):isNil() expect(true):isTrue() expect(false):isFalse()
        expect(0.1 + 0.2):isNear(0.3)
        expect("abc"):contains "b"
        expect({ { 1 }, 2 }):contains { 1 }
        expect(function() error "no" end):fails "no"
        expect(Date(5)):equals(Date(5))
      end)
      """)
    #expect(result.status == 0, "\(result.output)")
  }

  @Test func aFolderMeansTheSpecsInIt() throws {
    let program = try program("test('one', function() end)")
    try FileManager.default.createDirectory(atPath: program.path("deep"), withIntermediateDirectories: true)
    try program.write("deep/b_spec.lua", "test('two', function() end)")
    try program.write("other.lua", "error 'not a spec'")
    let result = try program.run(["test", "--tap"])
    #expect(result.output == "TAP version 13\nok 1 - ./a_spec.lua: one\nok 2 - ./deep/b_spec.lua: two\n1..2\n")
  }

  @Test func tapAndJUnitTellTheSame() throws {
    let program = try program(
      "test('good # one', function() end)\ntest('bad', function() expect('<'):equals '&\\1' end)")
    let result = try program.run(["test", "a_spec.lua", "--tap", "--junit", "out.xml"])
    #expect(
      result.output == """
        TAP version 13
        ok 1 - a_spec.lua: good \\# one
        not ok 2 - a_spec.lua: bad
        # a_spec.lua:2: expected "&\\1", got "<"
        1..2

        """)
    #expect(result.status == 1)
    let xml = try String(contentsOfFile: program.path("out.xml"), encoding: .utf8)
    #expect(xml.contains("tests=\"2\" failures=\"1\""))
    #expect(xml.contains("<failure message=\"expected &quot;&amp;\\1&quot;, got &quot;&lt;&quot;\">"))
    #expect(xml.hasSuffix("  </testsuite>\n</testsuites>\n"))
  }

  @Test func aFilterChoosesByName() throws {
    let spec = "test('red', function() end)\ntest('blue', function() error 'x' end)"
    #expect(try run(spec, ["--filter", "re"]).output.hasPrefix("1 passed, 0 failed"))
    let none = try run(spec, ["--filter", "green"])
    #expect(none.errors.contains("there is no test with \"green\" in its name"))
    #expect(none.status == 64)
  }

  @Test func aFileThatCannotBeReadAsLuaIsAFailure() throws {
    let result = try run("x = = 1")
    #expect(result.output.contains("a_spec.lua:1:5: failed: (reading the file): unexpected symbol near '='"))
    #expect(result.status == 1)
    #expect(try run("", ["nothere_spec.lua"]).status == 74)
  }

  @Test func theTimeLimitIsThatOfEachTest() throws {
    let result = try run(
      "test('long', function() while true do end end)\ntest('short', function() end)", ["--timeout", "2"])
    #expect(result.output.contains("failed: long: the time limit was reached"))
    #expect(result.output.contains("1 passed, 1 failed"))
  }

  @Test func ctrlCNamesTheTestThatRan() throws {
    let program = try program(
      """
      test("quick", function() end)
      test("endless", function()
        io.stderr:write("it runs\\n")
        while true do end
      end)
      test("never", function() print "never" end)
      """)
    for (option, text) in [("--quiet", ""), ("--tap", "Bail out! ")] {
      let session = try PTYSession(
        executable: BuiltProgram.executable, arguments: ["test", program.path("a_spec.lua"), option],
        environment: program.environment)
      try session.expect("it runs")
      session.send("\u{3}")
      try session.expect(text)
      try session.expect("a_spec.lua:4: interrupted: the test 'endless'")
      try session.expect("before it 1 passed, 0 failed")
      #expect(try session.waitForExit() == 130)
      #expect(!String(decoding: session.output, as: UTF8.self).contains("never"))
    }
  }
}
