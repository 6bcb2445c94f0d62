-- Taking back: before a save, after it, and a whole save of the store.

local model = Model {
  Author = Entity { name = String, books = ToMany "Book" { inverse = "author", deleteRule = "cascade" } },
  Book = Entity { title = String, author = ToOne "Author" { inverse = "books" } },
}
local store = open(":memory:", { model = model })
local context = store.context
local Author, Book = store.entities.Author, store.entities.Book

local author = Author { name = "Jane Austen", books = { Book { title = "Emma" }, Book { title = "Persuasion" } } }
context:save()

context:undoGroup(function()
  author.name = "J. A."
  author.books[1].title = "?"
end)
print(author.name, author.books[1].title)
context:undo()
print(author.name, author.books[1].title, context.hasChanges)

author:delete()
context:save()
print("deleted:", Author:count(), Book:count())
context:undo()
context:save()
print("undone:", Author:count(), Book:count(), author.books[2].title)

Book:all():update { title = "burnt" }
local undone = store:undoSave()
print("rows as before the batch request:", undone.updated, author.books[2].title)
