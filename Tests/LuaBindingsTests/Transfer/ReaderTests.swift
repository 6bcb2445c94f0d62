import Foundation
import LuaBindings
import TestSupport
import Testing

@Suite struct ReaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func settingsAreReadAsTheyWereWritten() throws {
    let path = folder.file("readers.json")
    let words = ["mlr", "--ojsonl", "a \"b\"", "FILE"]
    try Data(Readers(path: path).settings(with: words, for: "x")).write(to: URL(filePath: path))
    #expect(Readers(path: path)["x"] == Reader("x", words))
    try Data(Readers(path: path).settings(with: [], for: "xz")).write(to: URL(filePath: path))
    #expect(Readers(path: path)["xz"] == nil && Readers(path: path)["x"] != nil)
    try Data(Readers(path: path).settings(with: nil, for: "x")).write(to: URL(filePath: path))
    #expect(Readers(path: path).chosen.keys.sorted() == ["xz"])
    #expect(Readers(path: folder.file("none")).chosen.isEmpty)
  }

  @Test(arguments: ["", "[]", "{\"a\": 1}", "{\"a\": [1]}", "{\"a\": [\"b\"]"])
  func settingsThatCannotBeReadAreDamaged(_ text: String) throws {
    let path = folder.file("readers.json")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(Readers(path: path).isDamaged)
  }

  @Test func aNameSaysItsKind() {
    let readers = Readers(path: nil)
    #expect(readers.reader(of: "rows.csv") == nil)
    #expect(readers.reader(of: "folder.xz/rows") == nil)
    #expect(readers.reader(of: ".xz") == nil)
    #expect(readers.kinds.contains("https:") && readers.kinds == readers.kinds.sorted())
  }
}
