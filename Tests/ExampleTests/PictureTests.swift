import Foundation
import FoundationXML
import TestSupport
import Testing

/// The pictures of docs/pictures, which scripts/pictures draws.
@Suite struct PictureTests {
  static let folder = Perilune.root.appending(path: "docs/pictures")

  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return Set(files.filter { $0.hasSuffix(".svg") }.map { $0.replacing(/-(light|dark)\.svg$/, with: "") }).sorted()
  }()

  private func text(_ name: String, _ theme: String) throws -> String {
    try String(contentsOf: Self.folder.appending(path: "\(name)-\(theme).svg"), encoding: .utf8)
  }

  @Test func theReadmeShowsThePrompt() throws {
    let readme = try String(contentsOf: Perilune.root.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.contains("docs/pictures/prompt-dark.svg") && readme.contains("docs/pictures/prompt-light.svg"))
  }

  @Test(arguments: names) func bothThemesAreWellFormedSmallAndOfOneScreen(name: String) throws {
    for theme in ["light", "dark"] {
      let text = try text(name, theme)
      #expect(text.utf8.count < 60_000)
      #expect(XMLParser(data: Data(text.utf8)).parse(), "\(name)-\(theme).svg is not well-formed")
      #expect(
        !text.contains(/<(?:image|script|foreignObject|link|use)\b|href|url\(/), "\(name)-\(theme).svg loads something")
    }
    #expect(try Screen(text(name, "light")).lines == Screen(text(name, "dark")).lines)
  }

  @Test func thePromptSaysTodayWhatItsPictureShows() throws {
    let folder = try TemporaryFolder()
    try SampleStore.quakes.copy(to: folder)
    var lines = try Screen(text("prompt", "light")).lines
    // The prompt that waits at the end.
    if lines.last?.hasSuffix(">") == true { lines.removeLast() }
    let command = try #require(lines.first?.wholeMatch(of: /\$ (.*)/))
    try DocumentationTests().replay(
      Array(lines.dropFirst()), after: String(command.1), place: "docs/pictures/prompt-light.svg", in: folder)
  }
}

/// The lines that a picture shows.
private struct Screen {
  var lines: [String] = []

  /// The left edge and the width of a character that docs/pictures/draw.lua draws with.
  private static let left = 16.0, advance = 8.43

  init(_ picture: String) {
    for row in picture.matches(of: /<text y="\d+">(.*)<\/text>/) {
      var line = ""
      for run in row.1.matches(of: /<tspan x="([\d.]+)"[^>]*>([^<]*)<\/tspan>/) {
        let column = Int((((Double(run.1) ?? 0) - Self.left) / Self.advance).rounded())
        line += String(repeating: " ", count: max(0, column - line.count)) + Self.unescaped(String(run.2))
      }
      lines.append(line)
    }
  }

  private static func unescaped(_ text: String) -> String {
    text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&amp;", with: "&")
  }
}
