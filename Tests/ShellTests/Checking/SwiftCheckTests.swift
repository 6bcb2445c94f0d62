import Foundation
import Modeling
import Testing

/// `perilune check` finds the mistakes of Swift files, and writes them for people, programs and services.
@Suite struct SwiftCheckTests {
  private static let view = """
    struct QuakeList: View {
      @FetchRequest(sortDescriptors: [], predicate: NSPredicate(format: "é😀 == magnitud"))
      var quakes: FetchedResults<Quake>
    }
    """
  private static let model = """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel">
      <entity name="Quake" representedClassName="Quake"><attribute name="magnitude" attributeType="Double"/></entity>
    </model>
    """

  /// A project with a model of Core Data and a file with one mistake.
  private func project(_ view: String = view) throws -> BuiltProgram {
    let program = try BuiltProgram()
    for folder in ["App/App.xcdatamodeld/App.xcdatamodel", "App/.build", "App/Pods"] {
      try FileManager.default.createDirectory(atPath: program.path(folder), withIntermediateDirectories: true)
    }
    try program.write("App/App.xcdatamodeld/App.xcdatamodel/contents", Self.model)
    try program.write("App/List.swift", view)
    for folder in ["App/.build", "App/Pods"] { try program.write(folder + "/Other.swift", view) }
    return program
  }

  private static let right =
    "@FetchRequest(sortDescriptors: [], predicate: NSPredicate(format: \"magnitude > 6\"))\n"
    + "var quakes: FetchedResults<Quake>"
  private static let wrong = right.replacing("magnitude", with: "magnitud")

  @Test func aFolderIsCheckedAgainstTheModelInIt() throws {
    let result = try project(Self.wrong).run(["check", "App"])
    #expect(
      result.output == "App/List.swift:1:68: error: Quake has no property 'magnitud'; did you mean 'magnitude'?\n")
    #expect(result.errors == "note: checked 1 place in 1 Swift file\n")
    #expect(result.status == 1)
  }

  @Test func aFileWithoutMistakesSaysNothing() throws {
    let result = try project(Self.right).run(["check", "-q", "App/List.swift"])
    #expect(result.output + result.errors == "")
    #expect(result.status == 0)
  }

  @Test func theModelMayBeNamed() throws {
    let program = try project(Self.wrong)
    try program.write("List.swift", Self.wrong)
    for option in [["--model", "App/App.xcdatamodeld"], ["--model", "App/App.xcdatamodeld/App.xcdatamodel"]] {
      #expect(try program.run(["check", "List.swift"] + option).status == 1)
    }
    let store = try BuiltProgram.withStore()
    try store.write("List.swift", Self.wrong)
    for option in ["--store", "--model"] {
      #expect(
        try store.run(["check", "List.swift", option, "quakes.sqlite"]).output
          == "List.swift:1:68: error: Quake has no property 'magnitud'; did you mean 'magnitude'?\n")
    }
  }

  @Test func notesAloneAreNoFailure() throws {
    let program = try BuiltProgram()
    try program.write("model.lua", "return Model { Quake = Entity { magnitude = Double } }")
    try program.write("List.swift", Self.right.replacing("> 6", with: "!= 6"))
    let result = try program.run(["check", "List.swift", "--model", "model.lua"])
    #expect(result.output.hasPrefix("List.swift:1:68: note: "), "\(result.output)")
    #expect(result.status == 0)
  }

  @Test func findingsAsCommandsOfGitHubMarkTheirLines() throws {
    let program = try project(Self.view)
    try program.write("App/a,b%.swift", Self.wrong)
    let lines = try program.run(["check", "--format", "github", "App"]).output.split(separator: "\n")
    #expect(
      lines.contains {
        $0.hasPrefix("::error file=App/a%2Cb%25.swift,line=1,col=68,endColumn=76,title=unknown-key::Quake has no")
      })
    #expect(lines.contains { $0.hasPrefix("::error file=App/List.swift,line=2,") })
  }

  /// The members that the schema of SARIF requires, and places in UTF-16.
  @Test func findingsAsSARIFHaveWhatItsSchemaRequires() throws {
    let program = try project("let s = \"😀\"; " + Self.wrong)
    let document = try JSONSerialization.jsonObject(
      with: Data(try program.run(["check", "--format", "sarif", "App"]).output.utf8))
    let root = try #require(document as? [String: Any])
    #expect(root["version"] as? String == "2.1.0")
    let run = try #require((root["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    #expect(driver["name"] as? String == "perilune")
    let rules = try #require(driver["rules"] as? [[String: Any]]).compactMap { $0["id"] as? String }
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == 1)
    for result in results {
      #expect((result["message"] as? [String: Any])?["text"] is String)
      #expect(rules[try #require(result["ruleIndex"] as? Int)] == result["ruleId"] as? String)
      #expect(["error", "warning", "note"].contains(result["level"] as? String ?? ""))
      let place = try #require((result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any])
      #expect((place["artifactLocation"] as? [String: Any])?["uri"] as? String == "App/List.swift")
      let region = try #require(place["region"] as? [String: Any])
      #expect(region["startLine"] as? Int == 1)
      #expect(region["startColumn"] as? Int == 82)
    }
  }

  @Test func noFindingsAreADocumentOfSARIF() throws {
    let result = try project(Self.right).run(["check", "--format", "sarif", "App"])
    #expect(result.output.contains("\"results\":[]"))
    #expect(result.status == 0)
  }

  @Test func scriptsAndSwiftFilesAreCheckedTogether() throws {
    let program = try project(Self.wrong)
    try program.write("App/s.lua", "prnt(1)")
    let result = try program.run(["check", "--json", "App"])
    #expect(result.output.split(separator: "\n").count == 2)
  }

  @Test func bytesThatAreNoTextAreNoMistake() throws {
    let program = try project(Self.right)
    try Data([0xFF, 0xFE, 0x22] + Array("NSPredicate(format: \"".utf8) + [0xC3]).write(
      to: URL(filePath: program.path("App/Bytes.swift")))
    #expect(try program.run(["check", "App"]).status == 0)
  }

  @Test func aFileThatIsNotThereIsAFailure() throws {
    let result = try BuiltProgram().run(["check", "No.swift"])
    #expect(result.status == 74)
    #expect(result.errors.contains("No.swift"))
  }
}
