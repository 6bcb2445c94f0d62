import Foundation
import Testing

/// The walks of ARCHITECTURE.md lead down through files and functions that exist.
@Suite struct WalkTests {
  /// A walk: its title, and the functions that it enters, in order.
  struct Walk: CustomTestStringConvertible {
    var title: String
    var steps: [Step] = []
    var testDescription: String { title }
  }

  struct Step: CustomTestStringConvertible {
    var file: String
    var function: String
    var testDescription: String { "\(file): \(function)" }
  }

  static let walks: [Walk] = {
    let page = (try? String(contentsOf: Manifest.root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)) ?? ""
    let section = page.split(separator: "\n## ").first { $0.hasPrefix("Walks through the code") } ?? ""
    var walks: [Walk] = []
    for line in section.split(separator: "\n") {
      if line.hasPrefix("**") { walks.append(Walk(title: String(line))) }
      guard line.hasPrefix("- "), !walks.isEmpty else { continue }
      var file: String?
      for match in line.matches(of: /`([\w+]+\.swift)`|`([a-z]\w*)`/) {
        if let name = match.1 { file = String(name) }
        // Behind a file's name all words in quotes are functions of it, but for those that show Lua.
        if let name = match.2, let file, !lua.contains(name) {
          walks[walks.count - 1].steps.append(Step(file: file, function: String(name)))
        }
      }
    }
    return walks
  }()

  /// Words of Lua in the walks.
  static let lua: Set<Substring> = ["place", "store", "context", "observe"]
  /// The files of the engine; PeriluneKit has types of the same names over it.
  static let files = Dictionary(
    grouping: (try? SourceText.all(in: "Sources").filter { !$0.path.hasPrefix("PeriluneKit/") }) ?? [],
    by: { String($0.path.split(separator: "/").last ?? "") })

  @Test func eachStoreHasAWalkAndChangesAndConsolesHaveOne() {
    #expect(Self.walks.count == 5)
    #expect(Self.walks.allSatisfy { $0.steps.count > 8 })
  }

  @Test(arguments: walks.flatMap(\.steps)) func everyStepExists(step: Step) throws {
    let files = Self.files[step.file] ?? []
    #expect(files.count == 1, "\(files.count) files are named \(step.file)")
    // A member of Lua's is declared by its name as text.
    let name = step.function
    let declaration = try Regex(name == "init" ? #"\binit\("# : #"\bfunc \#(name)\b|\.method\(\s*"\#(name)""#)
    #expect(files.contains { $0.text.contains(declaration) }, "\(step.file) has no \(step.function)")
  }

  @Test(arguments: walks) func aWalkEntersFewFoldersAndReturnsToNone(walk: Walk) {
    var folders: [Substring] = []
    for step in walk.steps {
      guard let path = Self.files[step.file]?.first?.path, let slash = path.lastIndex(of: "/") else { continue }
      let folder = path[..<slash]
      if folder == folders.last { continue }
      #expect(!folders.contains(folder), "\(step.file) returns to \(folder)")
      folders.append(folder)
    }
    #expect(folders.count <= 12, "\(folders.joined(separator: ", "))")
  }
}
