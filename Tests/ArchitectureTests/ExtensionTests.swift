import Testing

/// A type lives in few files: what grows beyond them is a type of its own.
@Suite struct ExtensionTests {
  /// The most files that declare or extend one type.
  private static let mostFiles = 20

  @Test func noTypeIsSpreadOverManyFiles() throws {
    for target in Set(try SourceFile.all().map(\.target)) {
      var files: [Substring: Int] = [:]
      for (_, text) in try SourceFile.texts(of: target) {
        for type in Self.types(in: text) { files[type, default: 0] += 1 }
      }
      for (type, count) in files where count > Self.mostFiles {
        Issue.record(
          "\(target).\(type) is declared and extended in \(count) files; give a part of it a type of its own")
      }
    }
  }

  @Test func declarationsAndExtensionsAreFound() {
    let text = """
      public final class Engine {}
      fileprivate extension Call {}
      // extension Comment {}
      struct Options {}
      extension Engine.Nested {}
      """
    #expect(Self.types(in: text) == ["Engine", "Call", "Options"])
  }

  /// The types that a file declares or extends at its top level; an extension of a nested type counts as the nested type.
  private static func types(in text: String) -> Set<Substring> {
    let declaration =
      /^(?:(?:public|package|fileprivate|private|final|indirect)\s+)*(?:class|struct|enum|protocol|actor|extension)\s+([A-Z]\w*)(?!\w*\.)/
    return Set(
      text.split(separator: "\n").lazy.filter { $0.contains("{") && $0.first != " " }
        .compactMap { $0.firstMatch(of: declaration)?.1 })
  }
}
