import Foundation
import Testing

/// The walks of ARCHITECTURE.md lead through files and functions that exist.
@Suite struct WalkTests {
  struct Step: CustomTestStringConvertible {
    var file: String
    var function: String
    var testDescription: String { "\(file): \(function)" }
  }

  static let steps: [Step] = {
    let page = (try? String(contentsOf: Manifest.root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)) ?? ""
    let section = page.split(separator: "\n## ").first { $0.hasPrefix("Three walks") } ?? ""
    var steps: [Step] = []
    for line in section.split(separator: "\n") where line.hasPrefix("- ") {
      var file: String?
      for match in line.matches(of: /`([\w+]+\.swift)`|`([a-z]\w*)`/) {
        if let name = match.1 { file = String(name) }
        // Behind a file's name all words in quotes are functions of it, but for those that show Lua.
        if let name = match.2, let file, !lua.contains(name) { steps.append(Step(file: file, function: String(name))) }
      }
    }
    return steps
  }()

  /// Words of Lua in the walks.
  static let lua: Set<Substring> = ["place", "store", "context"]

  @Test func thereAreThreeWalks() { #expect(Self.steps.count > 30) }

  @Test(arguments: steps) func everyStepExists(step: Step) throws {
    // The walks lead through the engine; PeriluneKit has types of the same names over it.
    let face = try Set(SourceFile.texts(of: "PeriluneKit").map(\.text))
    let files = try SourceFile.texts().filter { $0.name == step.file && !face.contains($0.text) }
    #expect(files.count == 1, "\(files.count) files are named \(step.file)")
    // A member of Lua's is declared by its name as text.
    let name = step.function
    let declaration = try Regex(name == "init" ? #"\binit\("# : #"\bfunc \#(name)\b|\.method\(\s*"\#(name)""#)
    #expect(files.contains { $0.text.contains(declaration) }, "\(step.file) has no \(step.function)")
  }
}
