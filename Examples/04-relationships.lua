-- Objects lead to one another; both sides of a relationship are kept in step, and predicates walk along it.

local model = Model {
  Author = Entity {
    name = String { optional = false, unique = true },
    books = ToMany "Book" { inverse = "author", deleteRule = "cascade" },
  },
  Book = Entity {
    title = String { optional = false, unique = true },
    year = Int,
    author = ToOne "Author" { inverse = "books" },
    tags = ToMany "Tag" { inverse = "books" },
    _ = { order = { "title", "year" } },
  },
  Tag = Entity {
    name = String { optional = false, unique = true },
    books = ToMany "Book" { inverse = "tags" },
  },
}

local store <close> = open(":memory:", { model = model })
local Author, Book, Tag = store.entities.Author, store.entities.Book, store.entities.Tag

local lem = Author { name = "Lem" }
local solaris = Book { title = "Solaris", year = 1961, author = lem }
local cyberiad = Book { title = "The Cyberiad", year = 1965 }
lem.books:add(cyberiad)
print("both sides", cyberiad.author == lem, #lem.books)

local leGuin = Author { name = "Le Guin", books = { Book { title = "The Dispossessed", year = 1974 } } }
local robots, utopia = Tag { name = "robots" }, Tag { name = "utopia" }
cyberiad.tags = { robots, utopia }
leGuin.books[1].tags:add(utopia)
print("many to many", #utopia.books, #robots.books, #solaris.tags)
store.context:save()

-- Along the relationships
for book in Book:where("author.name == %@", "Lem"):sorted("year"):each() do
  print(book.title, book.author.name)
end
print("any", Author:where("ANY books.year < %@", 1962):first().name)
print("all", Author:where("ALL books.year > %@", 1970):first().name)
print("none", Book:where("NONE tags.name == %@ AND tags.@count > 0", "robots"):first().title)
print("count", Author:where("books.@count == %@", 2):first().name)
print("value", lem:value "books.@count", lem:value "books.@min.year")

-- Moved to another author
solaris.author = leGuin
print("moved", #lem.books, #leGuin.books)
store.context:rollback()
print("moved back", #lem.books, #leGuin.books)

-- Deleted with everything that belongs to it
lem:delete()
store.context:save()
print("left", Author:count(), Book:count(), Tag:count(), #utopia.books, #robots.books)
