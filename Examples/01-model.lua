-- A model says what a store holds; an object is made by calling its entity.

local model = Model {
  Book = Entity {
    isbn = String { optional = false, unique = true, minLength = 10 },
    title = String { optional = false },
    pages = Int { min = 1 },
    price = Decimal { default = Decimal "9.95" },
    published = Date,
    available = Bool { optional = false, default = true },
    _ = { order = { "isbn", "title", "pages", "price", "published", "available" } },
  },
}

local store <close> = open(":memory:", { model = model })
local Book = store.entities.Book

local book = Book {
  isbn = "9780140449136",
  title = "The Odyssey",
  pages = 541,
  published = Date "1946-01-01T00:00:00Z",
}
print(book.title, book.pages, book.price, book.published, book.available)
print("inserted", book.isInserted, "changes", store.context.hasChanges)

store.context:save()
print("inserted", book.isInserted, "changes", store.context.hasChanges)
print("the same object", Book:find "9780140449136" == book)

book.pages = 542
print("pages", book:committedValues().pages, book:changedValues().pages)
store.context:rollback()
print("pages", book.pages)

-- A save reports everything that is wrong at once, and changes nothing.
Book { isbn = "123", title = "Too short a number" }
Book { isbn = "9780000000000", title = "Too few pages", pages = 0 }
local saved, problem = pcall(store.context.save, store.context)
print("saved", saved, #problem.details)
store.context:rollback()

-- A name that is not in the model and a value of another type are refused where they are written.
print("misspelt", pcall(function()
  book.titel = "The Iliad"
end) == false)
print("mistyped", pcall(function()
  book.pages = "many"
end) == false)

-- What an entity knows to do is added in Lua.
function Book:isLong()
  return self.pages >= 500
end
Book.computed.label = function(self)
  return self.title .. " (" .. self.published.year .. ")"
end
print(book.label, book:isLong())
