import Modeling
import Queries
import Stores
import Testing

@testable import ObjectGraph

@Suite struct ConflictingRelationshipTests {
  @Test(arguments: [MergePolicy.storeTrump, .rollback])
  func aDeleteThatIsDroppedTakesItsRulesBack(policy: MergePolicy) throws {
    let rivals = try Rivals(policy)
    let book = try rivals.library.shelve()
    let loan = try rivals.library.make("Loan", ["who": .string("x")])
    let other = try rivals.library.make("Loan", ["who": .string("y")])
    for one in [loan, other] { try one.setOne("book", book) }
    let author = try #require(try book.one("author"))
    try rivals.mine.save()
    try book.delete()
    #expect(loan.isDeleted)
    _ = try rivals.library.store.sql("UPDATE loan SET who = 'z' WHERE who = 'x'")
    #expect(try rivals.save() == "saved")
    #expect(!book.isDeleted && !loan.isDeleted && !other.isDeleted)
    #expect(try book.many("loans").count == 2)
    #expect(try author.many("books") == [book])
    try author.delete()
    #expect(try book.one("author") == nil)
    _ = try rivals.library.store.sql("UPDATE author SET name = 'Jane' WHERE _pk = 1")
    #expect(try rivals.save() == "saved")
    #expect(try book.one("author") == author)
    #expect(try rivals.differences() == [])
  }

  @Test func deleteRulesReachWhatOthersAddedMeanwhile() throws {
    let rivals = try Rivals()
    let book = try rivals.library.shelve()
    let author = try #require(try book.one("author"))
    try book.delete()
    try author.delete()
    _ = try rivals.library.store.sql("INSERT INTO loan (who, book_pk) VALUES ('late', 1)")
    _ = try rivals.library.store.sql("INSERT INTO book (title, author_pk) VALUES ('Late', 1)")
    #expect(try rivals.save() == "saved")
    #expect(try rivals.library.rows("SELECT count(*) FROM loan") == [[.int(0)]])
    #expect(try rivals.books() == ["Late nil nil nil"])
  }

  @Test func whatOthersAddedToManyDeletedObjectsIsReadWithOneStatementForEachRelationship() throws {
    let rivals = try Rivals()
    let books = try (0..<60).map { try rivals.library.make("Book", ["title": .string("\($0)")]) }
    try rivals.mine.save()
    for start in 0..<7 { for place in stride(from: start, to: 60, by: 7) { try books[place].delete() } }
    _ = try rivals.library.store.sql("INSERT INTO loan (who, book_pk) VALUES ('late', 1), ('later', 40)")
    rivals.mine.resetStatistics()
    #expect(try rivals.save() == "saved")
    #expect(try rivals.library.rows("SELECT count(*) FROM loan") == [[.int(0)]])
    let toManys = try rivals.library.entity("Book").properties.filter { $0.relationship?.isToMany == true }.count
    #expect(rivals.mine.statistics.memberStatements == toManys)
  }

  @Test(arguments: MergePolicy.allCases)
  func aReferenceToWhatOthersDeletedIsFound(policy: MergePolicy) throws {
    let rivals = try Rivals(policy)
    let book = try rivals.library.shelve()
    let author = try rivals.library.all("Author")[1]
    let tag = try rivals.library.make("Tag")
    try rivals.mine.save()
    try book.setOne("author", author)
    _ = try rivals.library.store.sql("DELETE FROM author WHERE _pk = 2")
    let storeWins = policy == .storeTrump || policy == .rollback
    #expect(try rivals.save() == (storeWins ? "saved" : "Book/1.author leads to no Author 2"))
    #expect(try rivals.books() == ["Emma b1 10 1"])
    rivals.mine.rollback()
    try tag.add("books", book)
    _ = try rivals.library.store.sql("DELETE FROM tag")
    #expect(try rivals.save() != "")
    #expect(try rivals.library.rows("SELECT count(*) FROM book_tags") == [[.int(0)]])
    rivals.mine.rollback()
    #expect(try rivals.differences() == [])
  }

  @Test(arguments: MergePolicy.allCases)
  func bothSidesOfAOneToOneAgreeAfterwards(policy: MergePolicy) throws {
    let rivals = try Rivals(policy)
    let author = try rivals.library.make("Author", ["name": .string("A")])
    let profiles = try ["p", "q", "r"].map { try rivals.library.make("Profile", ["text": .string($0)]) }
    try author.setOne("profile", profiles[0])
    try rivals.mine.save()
    try author.setOne("profile", profiles[1])
    try rivals.their(author).setOne("profile", rivals.their(profiles[2]))
    try rivals.theirs.save()
    let outcome = try rivals.save()
    if policy == .error {
      #expect(outcome.hasPrefix("Author/1 changed: profile Profile/1 → Profile/2 | Profile/3"))
      rivals.mine.rollback()
    } else {
      #expect(outcome == "saved")
    }
    let wins = policy == .objectTrump || policy == .overwrite ? 1 : 2
    #expect(try author.one("profile") == profiles[wins])
    for (number, profile) in profiles.enumerated() {
      #expect(try profile.one("author") == (number == wins ? author : nil))
    }
    #expect(try rivals.differences() == [])
  }
}
