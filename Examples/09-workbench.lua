-- A predicate is tried on real data before it goes into an app: how many it selects, why, and what it is in Swift.

local model = Model {
  Article = Entity {
    title = String { optional = false, unique = true },
    words = Int { indexed = true },
    published = Date,
    tags = ToMany "Tag" { inverse = "articles" },
    _ = { order = { "title", "words", "published" } },
  },
  Tag = Entity { name = String { optional = false, unique = true }, articles = ToMany "Article" { inverse = "tags" } },
}

local store <close> = open(":memory:", { model = model })
local Article, Tag = store.entities.Article, store.entities.Tag

local swift, lua = Tag { name = "swift" }, Tag { name = "lua" }
for number = 1, 12 do
  local article = Article { title = "No. " .. number }
  if number % 3 > 0 then
    article.words = number * 100
  end
  if number % 4 > 0 then
    article.published = Date(string.format("2024-01-%02d", number))
  end
  article.tags:add(number % 2 == 0 and swift or lua)
end
store.context:save()

-- Pasted from an app: what is captured from around it is bound.
local long = Predicate [[#Predicate<Article> { article in
  article.words > minimum && article.tags.contains { $0.name == "swift" }
}]]
print(long)
local p = long:bind { minimum = 500 }

print "\nWho matches, who does not, who is neither"
print(p:counts(Article))

print "\nWhy not"
print(p:why(Article:find "No. 4"))
print(p:why(Article:find "No. 6"))

print "\nWhat a change would change"
print(Article:where(p):diff "words >= 500 AND ANY tags.name == 'swift' OR words == nil")

print "\nWhere memory and store differ"
print(Predicate("words != 500"):parity(Article))

print "\nWhat Apple's stores would say"
for _, refusal in ipairs(Predicate("ALL tags.name BEGINSWITH 's'"):check(Article, "sqlite")) do
  print(refusal.id, refusal.wayRound or refusal.advice)
end

print "\nFor the app"
print(Article:where(p):sorted("-words"):swift "query")
