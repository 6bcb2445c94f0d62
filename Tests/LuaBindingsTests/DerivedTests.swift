import LuaBindings
import Testing

@Suite struct DerivedTests {
  private func library() throws -> Script {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        Author = Entity {
          name = String, books = ToMany "Book" { inverse = "author", deleteRule = "cascade" },
          bookCount = Derived { type = Int, indexed = true, "books.@count" },
          pages = Derived { type = Int, "books.@sum.pages" }, mean = Derived { type = Double, "books.@avg.pages" },
          longest = Derived { type = Int, "books.@max.pages" }, shortest = Derived { type = Int, "books.@min.pages" },
          shout = Derived { type = String, "uppercase(name)" }, quiet = Derived { type = String, indexed = true, "lowercase(name)" },
          plain = Derived { type = String, indexed = true, "canonical(name)" },
          changed = Derived { type = Date, "now()" },
        },
        Book = Entity {
          title = String, pages = Int, published = Date, author = ToOne "Author" { inverse = "books" },
          authorName = Derived { type = String, "author.name" }, tags = ToMany "Tag" { inverse = "books" },
          year = Derived { type = Int, indexed = true, "year(published)" }, month = Derived { type = String, "month(published)" },
          day = Derived { type = String, "day(published)" }, hour = Derived { type = Int, "hour(published)" },
          minute = Derived { type = Int, "minute(published)" }, weekday = Derived { type = Int, "weekday(published)" },
          tagCount = Derived { type = Int, "tags.@count" },
        },
        Tag = Entity { name = String, books = ToMany "Book" { inverse = "tags" } },
      } }))
      ada = Author { name = "Ada" } bob = Author { name = "Bob" }
      book = Book { title = "One", pages = 100, author = ada, published = Date "1969-12-31T23:59:58.999999Z" }
      save()
      """)
    return script
  }

  @Test func everyFormHasItsValue() throws {
    let script = try library()
    #expect(try script.value("ada.bookCount, ada.pages, ada.mean, ada.longest, ada.shortest") == "1 100 100.0 100 100")
    #expect(
      try script.value("bob.bookCount, bob.pages, bob.mean, bob.longest, ada.shout, ada.quiet") == "0 0 nil nil ADA ada"
    )
    #expect(
      try script.value("book.authorName, book.year, book.month, book.day, book.hour, book.minute, book.weekday")
        == "Ada 1969 1969-12 1969-12-31 23 59 4")
    #expect(try script.value("math.abs(ada.changed - Date()) < 60, book.tagCount") == "true 0")
    #expect(script.error("ada.bookCount = 5") == "Author.bookCount cannot be set: it is derived")
    try script.run("ada.name = 'ÉCOLE' save()")
    #expect(try script.value("ada.plain, bob.plain, Author:count 'plain == \"ecole\"'") == "ecole bob 1")
  }

  @Test func aSaveRefreshesWhatItChangedByWayOfOthers() throws {
    let script = try library()
    try script.run(
      """
      local other = store:newContext()
      local theirs, theirBook = other.entities.Author:first 'name == "Ada"', other.entities.Book:first()
      local before = theirs.bookCount + ada.bookCount + bob.bookCount + #theirBook.authorName
      Book { title = "Two", pages = 300, author = ada } save()
      local counts = { ada.bookCount, theirs.bookCount, ada.pages, theirs.mean }
      book.author = bob save()
      local moved = { ada.bookCount, bob.bookCount, theirs.bookCount }
      bob.name = "Robert" save()
      local names = { book.authorName, theirBook.authorName }
      local tag = Tag { name = "t" } save()
      local _ = book.tagCount
      tag.books:add(book) save()
      local tagged = { book.tagCount, theirBook.tagCount }
      book:delete() save()
      """)
    #expect(try script.value("before, table.concat(counts, ' ')") == "5 2 2 400 200.0")
    #expect(
      try script.value("table.concat(moved, ' '), table.concat(names, ' '), table.concat(tagged, ' ')")
        == "1 1 1 Robert Robert 1 1")
    #expect(try script.value("bob.bookCount, bob.pages") == "0 0")
  }

  @Test func unsavedChangesStayWhenDerivedValuesAreRefreshed() throws {
    let script = try library()
    try script.run(
      """
      local other = store:newContext()
      local theirs = other.entities.Author:first 'name == "Ada"'
      theirs.name = "Countess"
      Book { title = "Two", author = ada } save()
      """)
    #expect(try script.value("theirs.name, theirs.hasChanges, ada.bookCount") == "Countess true 2")
  }

  @Test func indexedOnesAreUsedToFind() throws {
    let script = try library()
    #expect(try script.value("tostring(Author:where('bookCount > 3'):explain())").contains("author_bookCount_index"))
    #expect(try script.value("tostring(Author:where('quiet == \"ada\"'):explain())").contains("author_quiet_index"))
    #expect(try script.value("tostring(Book:where('year == 1969'):explain())").contains("book_year_index"))
  }
}
