import Modeling
import Queries
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

/// Two contexts that edit one graph at random: under each policy the store stays whole, and memory agrees with it.
@Suite(.seeded) struct RivalGraphFuzzTests {
  @Test(arguments: 1...16) func theGraphStaysWholeWhateverThePolicy(seed: UInt64) throws {
    var program = try GraphRivals(seed: seed)
    for step in 0..<120 { try program.step(step) }
  }
}

private struct GraphRivals {
  let rivals: Rivals
  var random: XorShift
  private let names = ["Author", "Book", "Loan", "Tag", "Profile"]

  init(seed: UInt64) throws {
    random = XorShift(seed: seed)
    rivals = try Rivals()
    for _ in 0..<12 {
      try edit(rivals.mine)
      do { try rivals.mine.save() } catch is GraphError { rivals.mine.rollback() }
    }
  }

  mutating func step(_ number: Int) throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0...4: try edit(rivals.mine)
    case 5...7: try theirTurn()
    case 8: rivals.mine.noticeRemoteWrites()
    default: try save(number)
    }
  }

  private mutating func theirTurn() throws {
    rivals.theirs.refreshAllObjects()
    for _ in 0..<Int.random(in: 1...3, using: &random) { try edit(rivals.theirs) }
    do { try rivals.theirs.save() } catch is GraphError { rivals.theirs.rollback() }
    try checkStore("after theirs")
  }

  private mutating func save(_ number: Int) throws {
    let policy = MergePolicy.allCases.randomElement(using: &random) ?? .error
    rivals.mine.mergePolicy = policy
    if Int.random(in: 0..<6, using: &random) == 0 {
      let diff = try described()
      do { try rivals.mine.save(dryRun: true) } catch is GraphError {}
      #expect(try described() == diff, "step \(number): a dry run leaves the changes alone")
    }
    let diff = try described()
    do { try rivals.mine.save() } catch is GraphError {
      #expect(try described() == diff, "step \(number): a failed save leaves the changes alone")
      rivals.mine.rollback()
    }
    try checkStore("step \(number), \(policy)")
    let differences = try rivals.differences()
    #expect(differences.isEmpty, "step \(number), \(policy): \(differences)")
  }

  /// The unsaved changes in words.
  private func described() throws -> [String] {
    let diff = try rivals.mine.diff()
    return diff.inserted.map { "+ \($0.objectID)" } + diff.deleted.map { "- \($0.objectID)" }
      + diff.updated.map { update in
        "~ \(update.object.objectID) "
          + update.changes.map { "\($0.property) \($0.old.displayText) \($0.new.displayText)" }.joined(separator: ", ")
      }
  }

  private func checkStore(_ place: String) throws {
    let queries = [
      "SELECT count(*) FROM book WHERE author_pk IS NOT NULL AND author_pk NOT IN (SELECT _pk FROM author)",
      "SELECT count(*) FROM loan WHERE book_pk IS NULL OR book_pk NOT IN (SELECT _pk FROM book)",
      "SELECT count(*) FROM book_tags WHERE book_pk NOT IN (SELECT _pk FROM book) OR tag_pk NOT IN (SELECT _pk FROM tag)",
      "SELECT count(*) FROM author a WHERE profile_pk IS NOT NULL AND a._pk IS NOT "
        + "(SELECT author_pk FROM profile p WHERE p._pk = a.profile_pk)",
      "SELECT count(*) FROM profile p WHERE author_pk IS NOT NULL AND p._pk IS NOT "
        + "(SELECT profile_pk FROM author a WHERE a._pk = p.author_pk)",
    ]
    for query in queries { #expect(try rivals.library.rows(query) == [[.int(0)]], "\(place): \(query)") }
  }

  // MARK: Edits

  private mutating func any(_ name: String, _ context: ObjectContext) throws -> ManagedObject? {
    try context.fetch(FetchRequest(rivals.library.entity(name))).objectList().randomElement(using: &random)
  }

  private mutating func edit(_ context: ObjectContext) throws {
    do { try change(context) } catch let error as GraphError {
      // Others may have deleted what it touches.
      switch error.fact {
      case .missingRow, .deletedObject: return
      default: throw error
      }
    }
  }

  private mutating func change(_ context: ObjectContext) throws {
    switch Int.random(in: 0..<13, using: &random) {
    case 0:
      _ = try context.insert(
        rivals.library.entity(["Author", "Tag", "Profile"].randomElement(using: &random) ?? "Tag"))
    case 1, 2:
      let book = try context.insert(rivals.library.entity("Book"))
      try book.set("title", .string("\(Int.random(in: 0..<9, using: &random))"))
      try book.set("code", .string("\(Int.random(in: 0..<9, using: &random))"))
      if Bool.random(using: &random) { try book.setOne("author", any("Author", context)) }
    case 3: try any("Book", context)?.set("pages", .int(Int64.random(in: 0..<5, using: &random)))
    case 4: try any("Book", context)?.set("code", .string("\(Int.random(in: 0..<9, using: &random))"))
    case 5, 6: try any("Book", context)?.setOne("author", Bool.random(using: &random) ? nil : any("Author", context))
    case 7, 8: try any("Author", context)?.setOne("profile", any("Profile", context))
    case 9:
      guard let book = try any("Book", context), let tag = try any("Tag", context) else { return }
      try book.setMember(at: book.index("tags"), tag, isMember: !book.many("tags").contains(tag))
    case 10:
      guard let book = try any("Book", context) else { return }
      try context.insert(rivals.library.entity("Loan")).setOne("book", book)
    case 11:
      guard let book = try any("Book", context) else { return }
      try any("Loan", context)?.setOne("book", book)
    default: try any(names.randomElement(using: &random) ?? "Book", context)?.delete()
    }
  }
}
