import Plots
import Testing

@testable import Shell

/// Plots are pixels where the terminal draws them.
@Suite(.enabled(if: Raster.isAvailable, "librsvg is not installed")) struct PicturesTests {
  private static let question = Array("\u{1B}[c".utf8)
  private static let sixel = "\u{1B}P0;1;0q\"1;1;"

  private func start(_ environment: [String: String] = ["TERM": "xterm-256color"]) throws -> PTYSession {
    let program = try BuiltProgram.withStore()
    let session = try PTYSession(
      executable: BuiltProgram.executable, arguments: ["-q", "--no-init", program.path("quakes.sqlite")],
      environment: program.environment.merging(environment) { $1 }, columns: 80, rows: 30)
    try session.expect("quakes> ")
    return session
  }

  /// Waits for the questions after a plot was asked for, and answers them.
  private func answer(_ session: PTYSession, _ text: String) throws {
    let start = session.output.count
    session.send("plot(Quake, { x = 'magnitude' })\r")
    try session.expectScreen { _ in session.output[start...].contains(Self.question) }
    session.send(text)
  }

  private func text(_ session: PTYSession) -> String { String(decoding: session.output, as: UTF8.self) }

  @Test func aTerminalWithSixelsGetsSixels() throws {
    let session = try start()
    try answer(session, "\u{1B}[6;20;10t\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?62;4c")
    try session.expectPrompt()
    // 80 columns of 10 pixels, on the light ground that the terminal has.
    #expect(text(session).contains(Self.sixel + "800;"))
    #expect(text(session).contains("#0;2;100;100;100"))
    #expect(!session.transcript.contains("n = "))
  }

  @Test func aTerminalWithPicturesOfKittyGetsThose() throws {
    let session = try start()
    try answer(session, "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c")
    try session.expectPrompt()
    #expect(text(session).contains("\u{1B}_Ga=T,f=100,q=2,c=80,m=1;iVBOR"))
  }

  @Test func aTerminalWithoutPicturesGetsTextAndIsAskedOnce() throws {
    let session = try start()
    try answer(session, "\u{1B}[?62;22c")
    try session.expect("n = ")
    try session.expectPrompt()
    let start = session.output.count
    session.send("plot(Quake, { x = 'magnitude' })\r")
    try session.expect("n = ")
    #expect(!session.output[start...].contains(Self.question))
  }

  @Test func keysTypedMeanwhileAreNotLost() throws {
    let session = try start()
    try answer(session, "20 + 3\u{1B}[?62;22c")
    try session.expect("n = ")
    session.send("\r")
    try session.expect("23")
  }

  @Test func whereNoPictureIsWantedNothingIsAsked() throws {
    for environment in [["TERM": "xterm-256color", "NO_COLOR": "1"], ["TERM": "dumb"], ["TERM": "tmux-256color"]] {
      let session = try start(environment)
      session.send("plot(Quake, { x = 'magnitude' })\r")
      try session.expect("n = ")
      #expect(!session.output.contains(Self.question), "\(environment)")
    }
    let session = try start()
    session.send(".plots text\r")
    try session.expectPrompt()
    session.send("plot(Quake, { x = 'magnitude' })\r")
    try session.expect("n = ")
    #expect(!session.output.contains(Self.question))
  }

  @Test func theCommandSaysWhatIsDrawn() throws {
    let session = try start(["TERM": "dumb"])
    session.send(".plots\r")
    try session.expect("auto (text: the terminal draws no pictures)")
    session.send(".plots sixels\r")
    try session.expect("did you mean 'sixel'")
    session.send(".plots sixel\r")
    session.send(".plots\r")
    try session.expect(".plots sixel\n")
    session.send("plot(Quake, { x = 'magnitude' })\r")
    try session.expectScreen { _ in text(session).contains(Self.sixel + "640;") }
  }
}
