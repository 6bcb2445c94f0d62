import Foundation

/// The fenced blocks of README.md and docs/ that are run; CONTRIBUTING.md explains their marks.
struct Documentation {
  /// A script and what it prints, if the document shows that.
  struct Script: CustomStringConvertible, Sendable {
    var place: String
    var source: String
    var expected: String?
    var store: SampleStore?
    var description: String { place }
  }

  /// What a terminal shows.
  struct Session: CustomStringConvertible, Sendable {
    var place: String
    var lines: [String]
    var description: String { place }
  }

  /// A part of a walk: commands for a shell that go on where the part before ended.
  struct Part: Sendable {
    var place: String
    var source: String
    var expected: String?
    /// A program without which the part is left out.
    var program: String?
  }

  private struct Block {
    var line: Int
    var words: [String]
    var body: [String]
    /// Whether nothing but empty lines stands between the block before and this.
    var followsDirectly: Bool
  }

  var scripts: [Script] = []
  var sessions: [Session] = []
  /// The walk of each document that has one, by its path.
  var walks: [String: [Part]] = [:]

  static let all: Documentation = {
    var documentation = Documentation()
    let docs = Perilune.root.appending(path: "docs")
    let inDocs = (try? FileManager.default.subpathsOfDirectory(atPath: docs.path)) ?? []
    for path in ["README.md"] + inDocs.filter({ $0.hasSuffix(".md") }).sorted().map({ "docs/" + $0 }) {
      if let text = try? String(contentsOf: Perilune.root.appending(path: path), encoding: .utf8) {
        documentation.add(text, path: path)
      }
    }
    return documentation
  }()

  mutating func add(_ text: String, path: String) {
    let blocks = Self.blocks(of: text)
    var previous: Script?
    for (index, block) in blocks.enumerated() {
      let place = "\(path):\(block.line)"
      switch block.words.first {
      case "lua" where !block.words.contains("fragment"):
        let next = index + 1 < blocks.count ? blocks[index + 1] : nil
        var expected: String?
        if let next, next.words == ["text"], next.followsDirectly { expected = next.body.joined(separator: "\n") }
        var script = Script(
          place: place, source: block.body.joined(separator: "\n"), expected: expected,
          store: SampleStore.allCases.first { block.words.contains($0.rawValue) })
        if block.words.contains("continue"), let before = previous {
          script.source = before.source + "\n" + script.source
          script.store = before.store
          // A block whose output is not shown leaves that of the whole chain unknown.
          if let shown = before.expected, let added = script.expected { script.expected = shown + "\n" + added }
          if before.expected == nil { script.expected = nil }
        }
        scripts.append(script)
        previous = script
      case "sh" where block.words.contains("walk"):
        let next = index + 1 < blocks.count ? blocks[index + 1] : nil
        let isShown = next?.words == ["text"] && next?.followsDirectly == true
        walks[path, default: []].append(
          Part(
            place: place, source: block.body.joined(separator: "\n"),
            expected: isShown ? next?.body.joined(separator: "\n") : nil,
            program: block.words.dropFirst(2).first))
      case "session":
        sessions.append(Session(place: place, lines: block.body))
      default:
        break
      }
    }
  }

  private static func blocks(of text: String) -> [Block] {
    var blocks: [Block] = []
    var open: Block?
    var sawText = true
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if var block = open {
        if line == "```" {
          blocks.append(block)
          (open, sawText) = (nil, false)
        } else {
          block.body.append(String(line))
          open = block
        }
      } else if line.hasPrefix("```") {
        let words = line.dropFirst(3).split(separator: " ").map(String.init)
        open = Block(line: index + 1, words: words, body: [], followsDirectly: !sawText)
      } else if !line.allSatisfy(\.isWhitespace) {
        sawText = true
      }
    }
    return blocks
  }
}
