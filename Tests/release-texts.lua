-- What rests on ICU and Foundation, printed: scripts/test runs it on the debug build, which has all of ICU's
-- data, and on the release build, which has a part of it, and compares.

use(open(":memory:", { model = Model { Word = Entity { text = String, code = Int } } }))
local Word = store.entities.Word
local words = {
  "apple", "Äpfel", "äpple", "ångström", "Zebra", "zebra", "Øre", "öl", "straße", "STRASSE", "ﬁn", "fin", "I",
  "ı", "İ", "i",
  "東京", "大阪", "北京", "上海", "ก้าว", "क्षेत्र", "한국", "가방", "e\u{301}te\u{301}", "été", "côte", "coté", "item 9",
  "item 10", "👩‍👩‍👧", "…",
}
for index, word in ipairs(words) do Word { text = word, code = index } end
save()

local function list(predicate)
  local found = {}
  for word in Word:where(predicate):sorted("code"):each() do found[#found + 1] = word.text end
  print(predicate, table.concat(found, " "))
end

for _, pattern in ipairs {
  [[\\p{Lu}.*]], [[\\p{Han}+]], [[\\p{Script=Thai}.*]], [[\\N{LATIN SMALL LETTER E WITH ACUTE}.*]],
  [[.*\\b9\\b.*]], [[(?w).*\\bitem\\b.*]],
  [[\\X]], [=[[[:Letter:]&&[^a-z]]+]=], [[(?i)STRA(ß|SS)E]], [[.*\\p{Emoji}.*]],
  [[\\p{General_Category=Other_Punctuation}]],
} do
  list(('text MATCHES "%s"'):format(pattern))
  list(('text MATCHES[cd] "%s"'):format(pattern))
end
for _, word in ipairs(words) do list(('text ==[cd] "%s" OR text BEGINSWITH[cdl] "%s"'):format(word, word)) end

-- The collations of apps that use GRDB compare as Foundation does.
store:sql "CREATE TABLE app (word TEXT)"
for _, word in ipairs(words) do store:sql("INSERT INTO app VALUES (?)", word) end
for _, name in ipairs {
  "swiftLocalizedCompare", "swiftLocalizedCaseInsensitiveCompare", "swiftLocalizedStandardCompare",
} do
  local sorted = {}
  for _, row in ipairs(store:sql("SELECT word FROM app ORDER BY word COLLATE " .. name)) do
    sorted[#sorted + 1] = row.word
  end
  print(name, table.concat(sorted, " "))
end
