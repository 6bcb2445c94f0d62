import Testing

/// The first result of a function over the parts of a tree is had by `firstResult`: `lazy.compactMap(f).first` calls `f` three
/// times for each part, and three times as often on each level.
@Suite struct LazyFirstTests {
  @Test func noTreeIsWalkedByLazyCompactMap() throws {
    for target in ["Queries", "SwiftParsing", "SwiftReading", "SwiftPrinting", "Refusals"] {
      let files = try SourceText.all(in: "Sources/\(target)")
      #expect(files.count > 10)
      for file in files {
        #expect(file.lines(holding: ["lazy.compactMap"]).isEmpty, "\(target)/\(file.path): use firstResult")
      }
    }
  }
}
