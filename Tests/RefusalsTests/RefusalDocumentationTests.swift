import Foundation
import Refusals
import Testing

@Suite struct RefusalDocumentationTests {
  @Test func aDocumentWithTheChapterListsEveryRuleInTheOrderOfTheList() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = root.appending(path: "docs")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".md") {
      let lines = try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n")
      guard lines.contains(where: { $0.hasSuffix("When Apple would say no") && $0.hasPrefix("#") }) else { continue }
      let listed = lines.compactMap { line -> String? in
        guard line.hasPrefix("| `"), let end = line.dropFirst(3).firstIndex(of: "`") else { return nil }
        return String(line.dropFirst(3)[..<end])
      }
      let ids = RefusalRule.all.map(\.id)
      #expect(listed.filter(ids.contains) == ids)
    }
  }
}
