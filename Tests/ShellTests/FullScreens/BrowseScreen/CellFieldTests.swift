import Testing

@testable import Shell

/// Cells that are edited on a full screen.
@Suite(.serialized) struct CellFieldTests {
  private let program: BuiltProgram

  /// The program beside a store of five earthquakes, us1 to us5 with magnitudes 1.5 to 5.5, the last with a report.
  init() throws { program = try BuiltProgram.withStore() }

  private func browse(_ call: String, options: String = "") throws -> PTYSession {
    let session = try program.terminal("-q \(options) quakes.sqlite", columns: 120, rows: 24)
    try session.expect("quakes")
    session.send(call + "\r")
    try session.expectScreen { $0.lines.last?.hasPrefix("q leave") == true }
    return session
  }

  private func status(_ session: PTYSession, _ isRight: (String) -> Bool) throws {
    try session.expectScreen { $0.lines.count > 1 && isRight($0.lines[1]) }
  }

  /// Types into the field and waits for the reason why it is not taken; Esc closes the field.
  private func refuse(_ session: PTYSession, _ text: String, _ reason: String) throws {
    let title = session.screen.lines[0]
    session.send("e\u{15}\(text)\r")
    try status(session) { $0.contains(" = \(text)  ") && $0.contains(reason) }
    session.send("\u{1B}")
    try session.expectScreen { $0.lines.last?.hasPrefix("q leave") == true }
    #expect(session.screen.lines[0] == title)
  }

  @Test func aCellTakesOnlyWhatReadsAsItsType() throws {
    let session = try browse("browse(Quake:all():sorted 'code')")
    session.send("l")
    for text in ["abc", "l999", "12,5", "1 2", "nil", "Quake:count()"] {
      try refuse(session, text, "magnitude: expected Double")
    }
    try refuse(session, "11", "more than 10")
    session.send("e\u{15}\r")
    try status(session) { $0.contains("nothing is typed; x empties a cell") }
    session.send("\u{1B}")
    try session.expectScreen { $0.lines.last?.hasPrefix("q leave") == true }
    session.send("ll")
    for text in ["yesterday", "31.02.2024"] { try refuse(session, text, "time: expected Date") }
    session.send("e\u{15}24.12.2024\r")
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("> us1") && $0.contains("2024-12-24") } }
    session.send("hhe\u{15}1e0\r")
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("> us1") && $0.contains(" 1.0 ") } }
  }

  @Test func anEmptyCellIsNotTheTextNil() throws {
    let session = try browse("browse(Quake:all():sorted 'code')")
    session.send("llx")
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("> us1") && $0.contains(" nil ") } }
    session.send("e")
    try session.expectScreen { $0.lines.last?.hasPrefix("Enter take") == true }
    #expect(session.screen.lines[1] == "place =")
    session.send("\r")
    try session.expectScreen { $0.lines.last?.hasPrefix("q leave") == true }
    session.send("enil\r")
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("> us1") && $0.contains("\"nil\"") } }
    session.send("e\u{15}\r")
    try session.expectScreen { !$0.lines.contains { $0.contains("nil") } }
    session.send("q")
    try session.expectPrompt("quakes*1>")
    session.send("Quake:find('us1').place == ''\r")
    try session.expect("true")
  }

  @Test func whatIsRequiredIsNotEmptied() throws {
    let session = try browse("browse(Quake:all():sorted 'code')")
    session.send("x")
    try status(session) { $0.contains("code is required") }
    session.send("q")
    try session.expectPrompt("quakes>")
  }

  @Test func aTextThatStandsThereChangesNothing() throws {
    let made = try program.run([
      "quakes.sqlite", "-e", "Quake:find('us1').place = 'two\\nlines' Quake:find('us2').time = Date(0.1234567) save()",
    ])
    #expect(made.status == 0, "\(made.errors)")
    let session = try browse("browse(Quake:all():sorted 'code')")
    session.send("lle")
    try status(session) { $0.contains("place has line breaks or control characters; the prompt sets it") }
    session.send("jle\r")
    try session.expectScreen { $0.lines.last?.hasPrefix("q leave") == true }
    session.send("q")
    try session.expectPrompt("quakes>")
  }

  @Test func aToOneIsEditedByTheNameOfItsObject() throws {
    let session = try browse("browse(Report)")
    session.send("e")
    try status(session) { $0.hasPrefix("quake = us5") }
    session.send("\u{15}us\t")
    try status(session) { $0.contains("us1  us2") }
    session.send("2\r")
    try session.expectScreen { $0.lines.contains { $0.contains("→ us2") } }
    try refuse(session, "us77", #"no Quake is named "us77", nor has it as its key"#)
    session.send("e\u{15}3\r")
    try session.expectScreen { $0.lines.contains { $0.contains("→ us3") } }
    session.send("x")
    try session.expectScreen { !$0.lines.contains { $0.contains("→ us") } }
    session.send("uu")
    try session.expectScreen { $0.lines.contains { $0.contains("→ us2") } }
    session.send("q")
    try session.expectPrompt("quakes*1>")
  }

  @Test func whatCannotBeWrittenHasNoField() throws {
    let session = try browse("browse(Quake)", options: "--read-only")
    session.send("e")
    try status(session) { $0.contains("read-only") }
    #expect(session.screen.lines.last?.hasPrefix("q leave") == true)
    session.send("x")
    try status(session) { $0.contains("read-only") }
  }

  @Test func toManysAreFollowed() throws {
    let session = try browse("browse(Quake)")
    session.send("lllle")
    try status(session) { $0.contains("reports leads to many objects") }
  }
}
