import Foundation
import Testing

@testable import Shell

/// The page of a prompt: both are one context.
@Suite(.serialized) struct ServeCommandTests {
  private let program: BuiltProgram

  init() throws { program = try BuiltProgram.withStore() }

  /// A browser without scripts: it keeps the cookie, reads a page, and sends the first form that goes to an action.
  private static let browser = """
    import http.cookiejar, re, sys, urllib.error, urllib.parse, urllib.request
    home, jar, page, action = sys.argv[1], http.cookiejar.LWPCookieJar(sys.argv[2]), sys.argv[3], sys.argv[4]
    try: jar.load(ignore_discard=True)
    except OSError: pass
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(jar))
    base = home.split("?")[0][:-1]
    try:
        if len(jar) == 0: opener.open(home, timeout=10).read()
        jar.save(ignore_discard=True)
        text = opener.open(base + page, timeout=10).read().decode()
        if action:
            form = re.search(r'<form method="post" action="' + action + '".*?</form>', text, re.S).group(0)
            fields = re.findall(r'<input type="hidden" name="([^"]*)" value(?:="([^"]*)")?>', form)
            body = urllib.parse.urlencode(fields + [("value", sys.argv[5])]).encode()
            text = opener.open(urllib.request.Request(base + action, body, {"Origin": base}), timeout=10).read().decode()
        print(text)
    except (urllib.error.URLError, OSError) as error: print("refused", error)
    """

  private func page(_ home: String, _ path: String, send action: String = "", _ value: String = "") throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.browser, home, program.path("cookies"), path, action, value]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  private func serve(_ session: PTYSession, prompt: String = "quakes>") throws -> String {
    session.send(".serve\r")
    try session.expectScreen { $0.lines.contains { $0.contains("token=") } }
    try session.expectPrompt(prompt)
    let line = session.screen.lines.last { $0.contains("token=") } ?? ""
    return line.trimmingCharacters(in: .whitespaces)
  }

  @Test func aLineAndAFormChangeTheSameContext() throws {
    let session = try program.terminal("-q quakes.sqlite", columns: 120, rows: 24)
    try session.expectPrompt()
    let home = try serve(session)
    session.send("Quake:find('us1').place = 'typed'\r")
    try session.expectPrompt("quakes*1>")
    #expect(try page(home, "/-/changes").contains("typed"))
    // A line that is being typed stays.
    session.send("Quake:find('us2').pla")
    let key = "/-/edit?entity=Quake&key=2&property=place"
    #expect(try page(home, key, send: "/-/set", "by a form").contains("by a form"))
    session.send("ce\r")
    try session.expectScreen { $0.lines.contains { $0.contains("\"by a form\"") } }
    try session.expectPrompt("quakes*2>")
    session.send(".diff\r")
    try session.expectScreen { $0.lines.contains { $0.contains("us1") && $0.contains("typed") } }
    #expect(try page(home, "/-/changes", send: "/-/undo").contains("1 unsaved change"))
    session.send("\r")
    try session.expectPrompt("quakes*1>")
    session.send("rollback()\r")
    try session.expectPrompt("quakes>")
    #expect(try page(home, "/-/changes").contains("No unsaved changes"))
  }

  @Test func ctrlCDropsTheLineAndStopEndsThePage() throws {
    let session = try program.terminal("-q quakes.sqlite", columns: 120, rows: 24)
    try session.expectPrompt()
    let home = try serve(session)
    session.send("not lua at all\u{3}")
    try session.expectPrompt()
    #expect(try page(home, "/Quake").contains("us1"))
    session.send("while true do end\r")
    session.settle()
    session.send("\u{3}")
    try session.expectScreen { $0.lines.contains { $0.contains("stopped after") } }
    try session.expectPrompt()
    #expect(try page(home, "/Quake").contains("us1"))
    session.send(".serve stop\r")
    try session.expectScreen { $0.lines.contains { $0.contains("the page has ended") } }
    #expect(try page(home, "/Quake").hasPrefix("refused"))
    session.send(".serve 99999\r")
    try session.expectScreen {
      $0.lines.contains { $0.contains("'99999' is no port: expected a number from 1 to 65535, or stop") }
    }
  }

  @Test func whatOnlyReadsIsOnlyShown() throws {
    let session = try program.terminal("-q --read-only quakes.sqlite", columns: 120, rows: 24)
    let prompt = "quakes:ro>"
    try session.expectPrompt(prompt)
    let home = try serve(session, prompt: prompt)
    #expect(try !page(home, "/Quake?key=1").contains("/-/edit"))
    #expect(try page(home, "/-/add?entity=Quake", send: "/-/add", "").hasPrefix("refused"))
  }

  @Test func scriptsAndTheSandboxServeNothing() throws {
    let script = try program.run(["-q", "quakes.sqlite"], input: ".serve\n")
    #expect(script.status != 0 && script.errors.contains(".serve needs a terminal"))
    let session = try program.terminal("-q --sandbox quakes.sqlite", columns: 120, rows: 24)
    try session.expect("quakes")
    session.send(".serve\r")
    try session.expectScreen { $0.lines.contains { $0.contains("the sandbox refuses .serve") } }
  }
}
