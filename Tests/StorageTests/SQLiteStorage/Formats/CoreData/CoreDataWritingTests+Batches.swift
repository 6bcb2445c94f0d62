import Foundation
import Modeling
import ObjectGraph
import Queries
import TestSupport
import Testing
import Transfer

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// Rows that are not written object by object, and files of large values.
extension CoreDataWritingTests {
  @Test func batchesKeepTheRulesToo() throws {
    let book = try insert("Book", ["title": .string("a")])
    for number in 0..<3 { _ = try insert("Page", ["number": .int(Int64(number))]) }
    try context.save()
    let page = try entity("Page")
    let count = try store.batchUpdate(
      FetchRequest(page), [(try #require(page.index(of: "book")), .object(book.objectID))])
    #expect(count == 3)
    #expect(
      try sql("SELECT group_concat(Z_FOK_BOOK || '/' || Z1_BOOK), group_concat(Z_OPT) FROM ZPAGE")
        == "2048/1,3072/1,4096/1|2,2,2")
    #expect(try sql("SELECT ZPAGESCOUNT, Z_OPT FROM ZBOOK") == "3|2")
    _ = try store.batchUpdate(FetchRequest(page), [(try #require(page.index(of: "number")), .int(9))])
    #expect(try sql("SELECT group_concat(ZNUMBER), group_concat(Z_OPT) FROM ZPAGE") == "9,9,9|3,3,3")
    #expect(try store.verify().isEmpty)
    #expect(try store.batchDelete(FetchRequest(try entity("Book"))) == 1)
    #expect(try sql("SELECT count(*) FROM ZPAGE") == "0")
    #expect(try store.verify().isEmpty)
  }

  @Test func sqlByHandIsFollowedByTheBookkeeping() throws {
    let book = try insert("Book", ["title": .string("a")])
    _ = try insert("Page")
    try context.save()
    _ = try store.sql(
      "UPDATE ZPAGE SET ZBOOK = \(book.objectID.key), Z1_BOOK = 1; INSERT INTO ZSHELF (Z_PK, Z_ENT) VALUES (5, 5)")
    #expect(try sql("SELECT Z_OPT, Z_FOK_BOOK FROM ZPAGE") == "2|2048")
    #expect(try sql("SELECT Z_OPT, (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Shelf') FROM ZSHELF") == "1|5")
    #expect(try store.verify().isEmpty)
  }

  @Test func savesAreUndoneAndRedoneWithVersionsThatOnlyAscend() throws {
    let book = try insert("Book", ["title": .string("a")])
    try set(book, "pages", members: [insert("Page"), insert("Page")])
    try context.save()
    try book.delete()
    try context.save()
    _ = try store.reverseSave(.undo)
    #expect(try sql("SELECT ZPAGESCOUNT, Z_OPT, (SELECT count(*) FROM ZPAGE) FROM ZBOOK") == "2|1|2")
    #expect(try store.verify().isEmpty)
    _ = try store.reverseSave(.redo)
    #expect(try sql("SELECT count(*) FROM ZPAGE") == "0")
    _ = try store.reverseSave(.undo)
    _ = try store.sql("UPDATE ZBOOK SET ZTITLE = 'b'")
    _ = try store.reverseSave(.undo)
    #expect(try sql("SELECT ZTITLE, Z_OPT FROM ZBOOK") == "a|3")
    #expect(try store.verify().isEmpty)
  }

  @Test func anotherProcessesChangeIsAConflict() throws {
    let shelf = try insert("Shelf", ["name": .string("a")])
    try context.save()
    _ = try shelf.attribute(at: 0)
    try shelf.setAttribute(at: 0, .string("mine"))
    #expect(try sql("UPDATE ZSHELF SET ZNAME = 'theirs', Z_OPT = 2") == "")
    #expect(caseName(#expect(throws: GraphError.self) { try context.save() }?.fact) == "conflicts")
    #expect(try sql("SELECT ZNAME, Z_OPT FROM ZSHELF") == "theirs|2")
  }

  @Test func importedRowsAreWrittenAsObjectsAre() throws {
    let book = try insert("Book", ["title": .string("a"), "isbn": .string("1")])
    try context.save()
    func reader(_ text: String) throws -> DelimitedReader {
      let reader = DelimitedReader(bytes: Array(text.utf8))
      _ = try reader.next()
      return reader
    }
    let (page, books) = (try entity("Page"), try entity("Book"))
    func index(_ name: String, _ entity: Entity) throws -> Int { try #require(entity.index(of: name)) }
    let pages = try store.importRows(
      into: page, from: try reader("number,book\n1,1\n2,1\n3,\n"),
      mapping: [
        ImportColumn(field: 0, .attribute(try index("number", page))),
        ImportColumn(
          field: 1, .reference(try index("book", page), by: try index("isbn", books), missing: .refuse)),
      ])
    #expect(pages.inserted == 3)
    #expect(
      try sql("SELECT Z_PK, Z_ENT, Z_OPT, ZBOOK, Z1_BOOK, Z_FOK_BOOK FROM ZPAGE")
        == "1|3|1|1|1|2048\n2|3|1|1|1|3072\n3|3|1|||")
    #expect(try sql("SELECT ZPAGESCOUNT, Z_OPT FROM ZBOOK") == "2|2")
    let mapping = [
      ImportColumn(field: 0, .attribute(try index("isbn", books))),
      ImportColumn(field: 1, .attribute(try index("copies", books))),
      ImportColumn(field: 2, .attribute(try index("uuid", books))),
    ]
    let text = "isbn,copies,uuid\n1,4,\n2,5,01020304-0506-0708-090A-0B0C0D0E0F10\n"
    let report = try store.importRows(
      into: books, from: try reader(text), mapping: mapping, upsert: try index("isbn", books))
    #expect(report.inserted == 1 && report.updated == 1)
    #expect(
      try sql("SELECT ZISBN, ZTITLE, ZCOPIES, hex(ZUUID), Z_OPT FROM ZBOOK")
        == "1|a|4||3\n2|untitled|5|0102030405060708090A0B0C0D0E0F10|1")
    #expect(try sql("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME IN ('Book', 'Page')") == "2\n3")
    #expect(try store.verify().isEmpty)
    #expect(book.objectID.key == 1)
  }

  // MARK: Files

  @Test func largeDataStandsInFilesOfItsOwn() throws {
    let large = [UInt8](repeating: 5, count: 200_000)
    let book = try insert("Book", ["title": .string("a"), "cover": .data(large)])
    let cover = try #require(book.entity.index(of: "cover"))
    try context.save()
    let files = "\(folder.path)/.App_SUPPORT/_EXTERNAL_DATA"
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: files).sorted() }
    #expect(try names().count == 1)
    #expect(
      try sql("SELECT length(ZCOVER), hex(substr(ZCOVER, 1, 1)), hex(substr(ZCOVER, 38)) FROM ZBOOK") == "38|02|00")
    #expect(try book.attribute(at: cover) == .data(large))
    #expect(try store.verify().isEmpty)
    let first = try names()
    try book.setAttribute(at: cover, .data(large + [1]))
    try context.save()
    #expect(try names().count == 1 && names() != first)
    #expect(fact { try store.reverseSave(.undo) } == .notUndoable(.externalFiles))
    struct Stop: Error {}
    try? store.transaction {
      try book.setAttribute(at: cover, .data(large + [2]))
      try context.save()
      #expect(try names().count == 2)
      throw Stop()
    }
    #expect(try names().count == 1)
    context.reset()
    try store.transaction { _ = try store.delete(try entity("Book"), key: book.objectID.key) }
    #expect(try names().isEmpty)
    #expect(try store.verify().isEmpty)
  }
}
