import Foundation
import TestSupport
import Testing

/// The samples of the documents whose names the library has, as they stand there: they are compiled, run, and print what
/// the documents say. The templates in Support are what they need around them.
@Suite struct DocumentSampleTests {
  private static let documents = OutsideProgram.root.deletingLastPathComponent().appending(path: "shared/seeds")
  private static let support = OutsideProgram.root.appending(path: "Tests/PeriluneKitTests/Support")

  static let areThere =
    OutsideProgram.canBeCompiled && FileManager.default.fileExists(atPath: documents.path)

  private static let output = [
    "items: true", "parameters: within: 172800.0; within: 259200.0", "before: 3 items, 0 orders",
    "after: 0 items, 1 orders", "faults: 3 items, faults: 0", "animations: default; none",
    "sections: 0; item of 0; item of 0; item of 0; 1; item of 1; item of 1",
    "without headers: item of 0; item of 0; item of 0; item of 1; item of 1", "query: [86400, 172800, 259200]",
    "filter: 5 items before now", "captured: a captured date",
    "table: Sendai | 09:20; Suva | 22:13; Temuco | 11:06; Filter []",
    "by place: Sendai | 09:20; Suva | 22:13; Temuco | 11:06; Filter []",
    "reversed: Temuco | 11:06; Suva | 22:13; Sendai | 09:20; Filter []", "filtered: Suva | 22:13; Filter [Su]",
    "all again: Temuco | 11:06; Suva | 22:13; Sendai | 09:20; Filter []",
    "stored days: day 0; Suva; Temuco; day 1; Sendai", "environment: the context is the container's",
    "computed days: computed day 1; Sendai; computed day 0; Suva; Temuco",
    "namespace: rectangle 200×200; rectangle ?, size of 200×200",
    "pairs: rectangle 200×200; rectangle ?, size of 200×200; email [me@example.org]; password [secret]; focus on email",
    "rotors: up; down; Negative trends:; down: entry 2; Count:; 4: entry 2",
    "two sources: rectangle ?; rectangle ?; a second source of 111",
    "shared: rectangle ?; red rectangle ?, position of ?; blue rectangle ?, position of ?",
    "modal: cyan rectangle 300×300, size of orange 100×200; orange rectangle 100×200",
    "solution: cyan rectangle 300×300, size of orange 100×200; orange rectangle 100×200",
    "people: fat 18; Name [fat]; Age: [18]", "changed: thin 19; Name [thin]; Age: [19]", "effect: fat 18; thin 19",
    "visible: Hello", "hidden:",
  ]

  @Test(.enabled(if: areThere, "needs ../shared/seeds, and the modules beside the tests"))
  func theyAreCompiledAsTheyStandAndDoWhatTheDocumentsSay() throws {
    let folder = try TemporaryFolder()
    let sources = try write("DocumentSamples.template", to: folder)
    // The documents have a global request, which Swift 6 would have be Sendable.
    try OutsideProgram.compile(sources, to: folder.file("samples"), mode: 5)
    let lines = try OutsideProgram.run([folder.file("samples")]).split(separator: "\n")
    #expect(lines.map { $0.trimmingCharacters(in: .whitespaces) } == Self.output)
  }

  @Test(.enabled(if: areThere, "needs ../shared/seeds, and the modules beside the tests"))
  func whatTheySayCannotBeCompiledIsRefused() throws {
    let folder = try TemporaryFolder()
    let sources = try write("RefusedSamples.template", to: folder)
    let messages = OutsideProgram.messages(of: sources)
    #expect(messages.filter { $0.hasPrefix("macro expansion #Predicate") && $0.contains("error:") }.count == 2)
  }

  @Test(.enabled(if: areThere, "needs ../shared/seeds"))
  func noSampleIsLeftOut() throws {
    var used: [String: IndexSet] = [:]
    for template in ["DocumentSamples.template", "RefusedSamples.template"] {
      for piece in try text(template).split(separator: "\n").compactMap(Piece.init) {
        used[piece.document, default: []].insert(integersIn: piece.lines)
      }
    }
    for (document, lines) in used {
      for (index, line) in try Self.lines(of: document).enumerated() where !lines.contains(index + 1) {
        let isCode = line.hasPrefix("    ") && line.contains { !$0.isWhitespace } || line.hasPrefix("}")
        #expect(!isCode && line.prefixMatch(of: /@\w+(\(|<| private| var|$)/) == nil, "\(document), line \(index + 1)")
      }
    }
    // The same article in another language has the same code.
    let known = Set(try Self.lines(of: "000").map(Self.code))
    let whole = known.joined(separator: "\n")
    for line in try Self.lines(of: "001") where line.hasPrefix("  ") && !line.hasPrefix("  - ") {
      #expect(known.contains(Self.code(line)) || whole.contains(Self.code(line)), "\(line)")
    }
  }

  /// A line of a template that stands for lines of a document: `//% 000 9-13 }`.
  private struct Piece {
    var document: String
    var lines: ClosedRange<Int>
    /// An attribute that the document lost.
    var attribute: String?
    /// What the last line ends with; prose follows it.
    var ending: String

    init?(_ line: some StringProtocol) {
      let form = /\s*\/\/% (?:wrapped (\S+) )?(\d+) (\d+)-(\d+) ?(.*)/
      guard let match = String(line).wholeMatch(of: form)?.output, let first = Int(match.3), let last = Int(match.4)
      else { return nil }
      (document, lines, attribute, ending) = (String(match.2), first...last, match.1.map(String.init), String(match.5))
    }

    func text() throws -> String {
      var found = Array(try DocumentSampleTests.lines(of: document)[(lines.lowerBound - 1)..<lines.upperBound])
      if !ending.isEmpty, let last = found.last, let range = last.range(of: ending) {
        found[found.count - 1] = String(last[..<range.upperBound])
      }
      let code = found.joined(separator: "\n")
        // The compiler has it on Apple's platforms alone.
        .replacing(/#keyPath\(\w+\.(\w+)\)/) { "\"\($0.output.1)\"" }
        // The documents leave something out.
        .replacing(/\n\s*\.\.\.\n/, with: "\n")
      return attribute.map { "\($0) \(code)" } ?? code
    }
  }

  private func text(_ template: String) throws -> String {
    try String(contentsOf: Self.support.appending(path: template), encoding: .utf8)
  }

  /// Writes a template with its samples, and returns what it is compiled with.
  private func write(_ template: String, to folder: TemporaryFolder) throws -> [String] {
    let source = try text(template).split(separator: "\n", omittingEmptySubsequences: false)
      .map { try Piece($0)?.text() ?? String($0) }.joined(separator: "\n")
    try Data(source.utf8).write(to: folder.url.appending(path: "main.swift"))
    return [folder.file("main.swift")]
      + ["View.swift", "Views.swift", "NamespaceViews.swift"].map {
        Self.support.appending(path: $0).path
      }
  }

  private static func lines(of document: String) throws -> [String] {
    let files = try FileManager.default.contentsOfDirectory(atPath: documents.path)
    let name = try #require(files.first { $0.hasPrefix(document + "_") })
    return try String(contentsOf: documents.appending(path: name), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// A line without comments, spaces and the signs of another format.
  private static func code(_ line: String) -> String {
    line.replacing(/\/\/.*/, with: "").replacing("\\_", with: "_").filter { !$0.isWhitespace }
  }
}
