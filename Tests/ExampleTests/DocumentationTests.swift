import Foundation
import TestSupport
import Testing

/// What README.md and docs/ show is what happens.
struct DocumentationTests {
  @Test func theReadmeShowsASession() {
    #expect(Documentation.all.sessions.contains { $0.place.hasPrefix("README.md") })
  }

  @Test(arguments: Documentation.all.scripts)
  func scriptsPrintWhatIsShown(script: Documentation.Script) throws {
    let folder = try TemporaryFolder()
    try script.source.write(toFile: folder.file("example.lua"), atomically: true, encoding: .utf8)
    try script.store?.copy(to: folder)
    let output = try Perilune.run((script.store.map { [$0.file] } ?? []) + ["example.lua"], in: folder)
    #expect(output.status == 0, "\(script.place): \(output.errors)")
    if let expected = script.expected {
      #expect(visibleLines(output.text) == visibleLines(expected), "\(script.place)")
    }
  }

  @Test(arguments: Documentation.all.sessions)
  func sessionsGoAsShown(session: Documentation.Session) throws {
    let folder = try TemporaryFolder()
    for store in SampleStore.allCases { try store.copy(to: folder) }
    var lines = session.lines[...]
    while let line = lines.first {
      let part = [line] + lines.dropFirst().prefix { !$0.hasPrefix("$ ") }
      lines = lines.dropFirst(part.count)
      let command = line.hasPrefix("$ ") ? String(line.dropFirst(2)) : "perilune quakes.sqlite"
      let shown = line.hasPrefix("$ ") ? Array(part.dropFirst()) : part
      if shown.contains(where: { prompt(of: $0) != nil }) {
        try replay(shown, after: command, place: session.place, in: folder)
      } else {
        let output = try Perilune.runCommand(["bash", "-c", command + " 2>&1"], in: folder)
        let expected = timeless(shown.joined(separator: "\n"))
        #expect(timeless(output.text) == expected, "\(session.place): \(command)")
      }
    }
  }

  /// Types what stands after the prompts and compares what comes between them. A banner that is not shown may be there.
  func replay(_ shown: [String], after command: String, place: String, in folder: TemporaryFolder) throws {
    let widest = shown.map(\.count).max() ?? 0
    let terminal = try Terminal(
      ["bash", "-c", "exec " + command], columns: UInt16(max(100, widest + 1)), in: folder)
    var screen = try terminal.readToPrompt { prompt(of: $0) == $0 }
    let banner = shown.prefix { prompt(of: $0) == nil }
    if !banner.isEmpty {
      #expect(timeless(screen.dropLast().joined(separator: "\n")) == timeless(banner.joined(separator: "\n")))
    }
    var rest = shown.dropFirst(banner.count)
    while let line = rest.popFirst(), let expectedPrompt = prompt(of: line) {
      #expect(screen.last == expectedPrompt, "\(place): the prompt before \(line)")
      let input = String(line.dropFirst(expectedPrompt.count))
      let expected = rest.prefix { prompt(of: $0) == nil }
      rest = rest.dropFirst(expected.count)
      if input.isEmpty && rest.isEmpty { return }
      terminal.type(input + "\n")
      if input == ".quit" { return }
      screen = try terminal.readToPrompt { prompt(of: $0) == $0 }
      let answer = screen.dropFirst().dropLast().joined(separator: "\n")
      #expect(timeless(answer) == timeless(expected.joined(separator: "\n")), "\(place): after \(input)")
    }
  }

  /// Visible lines in which all times are the same: how long something took differs from run to run.
  func timeless(_ text: String) -> [String] {
    visibleLines(text).map { $0.replacing(/\d+(\.\d+)? m?s\b/, with: "0 ms") }
  }

  /// The prompt that a line begins with: "quakes> ", "quakes*> ", in an object "quakes Quake us1> ", or that of
  /// a continued line, "      >> ".
  func prompt(of line: String) -> String? {
    line.prefixMatch(of: /\ *(?:[^\s>]*|[a-z]+[*\d]* [A-Z]\w* \w+)>{1,2}\ /).map { String($0.0) }
  }
}
