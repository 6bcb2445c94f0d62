import Comparison
import Foundation
import Modeling
import Queries
import Stores
import Testing

/// A comparison finds the same differences with each kind of store as the second one.
@Suite struct StoreComparisonTests {
  private func shops(_ conformance: Conformance) throws -> (Bookshop, Bookshop) {
    let (first, second) = (try Bookshop(.sqlite), try Bookshop(conformance))
    try first.fill()
    try second.fill()
    return (first, second)
  }

  private func differences(_ first: Bookshop, _ second: Bookshop) throws -> [String] {
    var found: [String] = []
    try StoreComparison(first.store, second.store).visit { change in
      let names = change.kind == .updated ? " " + change.properties.map(\.name).joined(separator: ",") : ""
      found.append("\(change.kind.rawValue) \(change.entity)\(names)")
      return true
    }
    return found
  }

  @Test(arguments: Conformance.allCases)
  func theSameObjectsAreEqual(_ conformance: Conformance) throws {
    let (first, second) = try shops(conformance)
    #expect(try differences(first, second) == [])
    #expect(try differences(second, first) == [])
  }

  @Test(arguments: Conformance.allCases)
  func eachKindOfPropertyIsCompared(_ conformance: Conformance) throws {
    let (first, second) = try shops(conformance)
    let book = try second.keys("Book", order: ["title"])[0]
    let values: [(String, Value)] = [
      ("price", .decimal(Decimal(string: "7.77")!)), ("isInPrint", .null),
      ("code", .uuid(UUID(uuidString: "00000000-0000-0000-0000-00000000002a")!)), ("cover", .data([1, 2, 3, 4])),
      ("notes", .json(.object(["a": .int(1)]))),
    ]
    for (name, value) in values {
      let old = try second.value("Book", book, name) ?? .null
      if old == value { continue }
      #expect(try second.update("Book", book, name, value))
      let found = try differences(first, second)
      #expect(found.count == 1 && found[0].hasSuffix(" " + name), "\(name): \(found)")
      _ = try second.update("Book", book, name, old)
    }
    let author = try second.insert("Author", ["name": .string("someone new")])
    _ = try second.update("Book", book, "author", .int(author))
    let found = try differences(first, second)
    #expect(found.contains("inserted Author"), "\(found)")
    #expect(found.contains { $0.hasPrefix("updated") && $0.hasSuffix("author") }, "\(found)")
  }

  /// Rows are read some hundred at once; the last of them is remembered where the next begin.
  @Test(arguments: [Conformance.sqlite, .memory])
  func identitiesOfTextAreInOneOrderBehindEachWindowOfRows(_ conformance: Conformance) throws {
    let (first, second) = (try Bookshop(.sqlite), try Bookshop(conformance))
    let names = (0..<1_100).map { "name \(1_000 + $0)" }
    try first.store.transaction {
      for name in names { try first.insert("Publisher", ["name": .string(name)]) }
    }
    try second.store.transaction {
      let others = names.reversed().filter { $0 != names[700] } + [names[511], names[511], "é", "name"]
      for name in others { try second.insert("Publisher", ["name": .string(name)]) }
      try second.insert("Publisher", [:])
    }
    var options = StoreComparison.Options()
    (options.by, options.entities) = (["name"], ["Publisher"])
    let comparison = try StoreComparison(first.store, second.store, options)
    var found: [String] = []
    let counts = try comparison.visit { change in
      found.append("\(change.kind.rawValue) \(change.identity.map(\.displayText).joined())")
      return true
    }
    #expect(
      found == [
        "unidentified ", "inserted name", "duplicated \(names[511])", "duplicated \(names[511])",
        "deleted \(names[700])", "inserted é",
      ])
    #expect(counts.map(\.equal) == [1_099])
  }

  /// Rows are paired as they come, in any order, unless two have the same identity.
  @Test(arguments: [false, true]) func rowsInAnotherOrderAreTheSame(_ isDuplicated: Bool) throws {
    let (first, second) = (try Bookshop(.sqlite), try Bookshop(.sqlite))
    let labels = (0..<700).map { "label \($0)" }
    try first.store.transaction {
      for label in ["gone"] + labels { try first.insert("Tag", ["label": .string(label)]) }
    }
    try second.store.transaction {
      for label in labels.reversed() + ["b", "a"] { try second.insert("Tag", ["label": .string(label)]) }
      if isDuplicated { try second.insert("Tag", ["label": .string("a")]) }
    }
    var options = StoreComparison.Options()
    (options.by, options.entities) = (["label"], ["Tag"])
    var found: [String] = []
    let counts = try StoreComparison(first.store, second.store, options).visit { change in
      found.append("\(change.kind.rawValue) \(change.identity.map(\.displayText).joined())")
      return true
    }
    #expect(
      found == ["inserted a"] + (isDuplicated ? ["duplicated a"] : []) + ["inserted b", "deleted gone"], "\(found)")
    #expect(counts.map(\.equal) == [700])
  }

  @Test func aCursorThatIsLeftKeepsNoRow() throws {
    let (first, second) = try shops(.sqlite)
    _ = try second.update("Book", try second.keys("Book")[0], "price", .decimal(Decimal(string: "7.77")!))
    let comparison = try StoreComparison(first.store, second.store)
    for entity in comparison.entities { _ = try comparison.cursor(entity).next() }
    // A write that a running statement would hinder.
    let store = try #require(second.store as? any OpenedStore)
    _ = try store.sql("CREATE INDEX late ON book (price); DROP INDEX late")
  }
}
