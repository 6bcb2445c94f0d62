import Foundation
import Testing

/// A test is named once, by its function, and the name is a rule: `twoFetchesGiveTheSameObject`.
@Suite struct TestNameTests {
  private struct Found {
    var place: String
    var name: String
  }

  private func names() throws -> [Found] {
    let root = Manifest.root.appending(path: "Tests")
    var found: [Found] = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) where path.hasSuffix("Tests.swift") {
      let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      for match in text.matches(of: /(?m)^ *@(?:Test|Suite)\(\s*"([^"\n]*)"/) {
        found.append(Found(place: path, name: "\"\(match.1)\""))
      }
      for match in text.matches(of: /(?m)^ *@Test\b[^\n]*? func (\w+)\(/) {
        found.append(Found(place: path, name: String(match.1)))
      }
    }
    return found
  }

  @Test func aTestIsNamedByItsFunctionInWords() throws {
    let names = try names()
    #expect(names.count > 1000)
    for found in names {
      #expect(
        found.name.wholeMatch(of: /[a-z][A-Za-z0-9]*[A-Z][A-Za-z0-9]*/) != nil,
        "Tests/\(found.place): \(found.name) is no sentence in camelCase")
    }
  }
}
