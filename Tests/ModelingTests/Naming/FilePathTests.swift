import Modeling
import TestSupport
import Testing

@Suite(.seeded) struct FilePathTests {
  @Test(
    arguments: [
      ("x", ".", "x", "x"), ("é", ".", "é", "é"), ("a/b.c", "a", "b.c", "b"), ("/b", "/", "b", "b"),
      ("//b", "/", "b", "b"),
      ("a//b/", "a", "b", "b"), ("a/b/.c", "a/b", ".c", ".c"), ("a.b/c", "a.b", "c", "c"), ("/", "/", "", ""),
      ("//", "/", "", ""), ("", ".", "", ""), (".", ".", ".", "."), ("..", ".", "..", "."), ("...", ".", "...", ".."),
      ("a b/c\nd.e.f", "a b", "c\nd.e.f", "c\nd.e"), ("e\u{301}/e\u{301}", "e\u{301}", "e\u{301}", "e\u{301}"),
    ])
  func aNameIsTakenApart(_ path: String, _ folder: String, _ name: String, _ stem: String) {
    #expect(FilePath.folder(of: path) == folder)
    #expect(FilePath.name(of: path) == name)
    #expect(FilePath.stem(of: path) == stem)
  }

  @Test func anyNameIsTakenApartAndPutTogether() {
    var random = SplitMix(seed: 1)
    let pieces = ["x", "é", "/", ".", " ", "\n", "雪", "\u{301}", "\0", "%", "\\"]
    for _ in 0..<2_000 {
      let path = (0..<Int.random(in: 0..<8, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
      let (folder, name) = (FilePath.folder(of: path), FilePath.name(of: path))
      #expect(!name.utf8.contains(UInt8(ascii: "/")), "\(path.debugDescription)")
      if name.isEmpty { continue }
      let whole = FilePath.file(name, in: folder)
      #expect(FilePath.name(of: whole) == name && FilePath.folder(of: whole) == folder, "\(path.debugDescription)")
    }
  }
}
