import Foundation
import Modeling
import TestSupport
import Testing

/// Conversations of an editor with the server go as they are written in Sessions.
@Suite struct SessionTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Sessions")
  private static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".session") }.sorted()

  /// A line with those that continue it: its sign, and what follows.
  private struct Step {
    var sign: Character
    var text: String
    var lines: [String] = []

    /// The whole of a message.
    var message: String { ([text] + lines).joined(separator: " ") }
  }

  private static func steps(of text: String) -> [Step] {
    var steps: [Step] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("  ") {
        steps[steps.count - 1].lines.append(String(line.dropFirst(2)))
      } else if let sign = line.first, sign != "#" {
        steps.append(Step(sign: sign, text: String(line.dropFirst(2))))
      }
    }
    return steps
  }

  @Test func thereAreSessions() { #expect(Self.names.count >= 4) }

  @Test(arguments: names)
  func aSessionGoesAsItIsWritten(name: String) throws {
    let folder = try TemporaryFolder()
    let uri = "file://" + folder.path
    let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    var client: EditorClient?
    var answer: JSON?
    for step in Self.steps(of: text) {
      let message = step.message.replacing("FOLDER", with: uri)
      let parts = message.split(separator: " ", maxSplits: 1).map(String.init)
      switch step.sign {
      case ">":
        let file = URL(filePath: folder.file(step.text))
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try step.lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
      case "$":
        if message.contains("quakes.sqlite") { _ = try EditorClient.store(in: folder) }
        client = try EditorClient(
          message.split(separator: " ").map(String.init), in: folder, capabilities: nil)
      case "?": answer = try client?.request(parts[0], parts[1])
      case "!": try client?.notify(parts[0], parts[1])
      case "=":
        let expected = try JSON.parse(Array(message.utf8))
        #expect(answer?.holds(expected) == true, "\(name): \(answer?.text ?? "") is not \(message)")
      case "<":
        let found = try client?.notification(parts[0])
        #expect(
          found?.holds(try JSON.parse(Array(parts[1].utf8))) == true, "\(name): \(found?.text ?? "") is not \(parts[1])"
        )
      case ".": #expect(try client?.end() == Int32(message))
      default: Issue.record("\(name): \(step.sign) is no sign of a line")
      }
    }
  }
}

extension JSON {
  /// Whether it is what is expected: some members of an object, all elements of a list, a text or the part beside its `…`.
  fileprivate func holds(_ expected: JSON) -> Bool {
    switch (self, expected) {
    case (.object(let own), .object(let wanted)):
      wanted.allSatisfy { name, value in own[name]?.holds(value) == true }
    case (.array(let own), .array(let wanted)):
      own.count == wanted.count && zip(own, wanted).allSatisfy { $0.holds($1) }
    case (.string(let own), .string(let wanted)):
      switch (wanted.hasPrefix("…"), wanted.hasSuffix("…")) {
      case (false, false): own == wanted
      case (true, false): own.hasSuffix(wanted.dropFirst())
      case (false, true): own.hasPrefix(wanted.dropLast())
      case (true, true): own.contains(wanted.dropFirst().dropLast())
      }
    default: self == expected
    }
  }
}
