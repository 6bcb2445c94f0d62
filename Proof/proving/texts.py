"""Texts that are nearly right: predicates, expressions, Swift, rows; made from those of the documentation."""

import re

from .bench import PROOF

DOCS = PROOF.parent / "docs"
WORDS = """AND OR NOT ANY ALL NONE SOME IN BETWEEN CONTAINS[cd] BEGINSWITH[c] ENDSWITH LIKE MATCHES == != < <= > >= <> = ! && || ( ) { } [ ]
, . : ; + - * / ** % $x %@ %K %d @count @sum @avg @max @min .@count SUBQUERY( FUNCTION( CAST( TERNARY( SELF nil NULL YES NO TRUEPREDICATE
FALSEPREDICATE [FIRST] [LAST] [SIZE] magnitude depth place time code status reports reports.intensity mainshock aftershocks stations.code
quake day latitude tsunami 'x' "y" 0 1 -1 3.5 1e308 9223372036854775807 -9223372036854775808 9223372036854775808 0x7f NaN inf 1..2
{1,2} {} lowercase( uppercase( abs( sqrt( sum( average( now() day( month( year( length( #size #Predicate<Quake> { $0 } @Model class let
var func return if else in : Int String? [ ] -> { } @Attribute(.unique) @Relationship(deleteRule: .cascade) import Foundation // /* */ \\( \\n
\x00 \xff é 日本 \U0001F600 \u0301""".split()


def corpus():
    """Strings and blocks of the documentation that are predicates, Swift, key paths or rows."""
    found = set()
    for path in DOCS.glob("*.md"):
        text = path.read_text()
        for block in re.findall(r"^```(?:lua|session|swift)[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            found.update(re.findall(r'"((?:[^"\\\n]|\\.)+)"', block))
            found.update(re.findall(r"\[\[(.*?)\]\]", block, re.DOTALL))
        found.update(re.findall(r"^```swift[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    return sorted(text for text in found if len(text) > 3)


def mutate(text, random, others):
    for _ in range(random.choice((1, 1, 2, 3, 6))):
        way = random.randrange(10)
        at = random.randint(0, len(text))
        to = min(len(text), at + random.choice((1, 2, 5, 20)))
        word = random.choice(WORDS)
        if way == 0:
            text = text[:at] + text[to:]
        elif way == 1:
            text = text[:at] + text[at:to] * random.choice((2, 3, 50)) + text[to:]
        elif way in (2, 3):
            text = text[:at] + " " + word + " " + text[at:]
        elif way == 4:
            tokens = re.split(r"(\W)", text)
            tokens[random.randrange(len(tokens))] = word
            text = "".join(tokens)
        elif way == 5:
            text = text[:at]
        elif way == 6:
            other = random.choice(others)
            cut = random.randint(0, len(other))
            text = text[:at] + other[cut : cut + 40] + text[to:]
        elif way == 7:
            text = re.sub(r"\d+", lambda m: random.choice((m[0], "9223372036854775807", "-1", "1e400", "0")), text)
        elif way == 8:
            count = random.choice((2, 30, 3000))
            text = random.choice(("(", "NOT (", "{", "$0.a { ", "[", "-")) * count + text + ")" * count
        else:
            text = text[:at] + chr(random.randrange(256)) + text[at:]
    return text[:20000]


def quoted(text):
    """The text as a literal of Lua."""
    return '"' + "".join(f"\\{b:03}" if b < 32 or b > 126 or b in (34, 92) else chr(b) for b in text.encode()) + '"'


# What is done with a text. Where memory and the store answer differently, that is a failure.
USES = {
    "predicate": """local p = Predicate({T}); local n, known = 0, true for q in Quake:all():each() do if p:evaluate(q) then n = n + 1 end end
        local c = Quake:count(p) if n ~= c then error("DISAGREE: " .. n .. " in memory, " .. c .. " in the store") end
        for _, f in ipairs {{ "nspredicate", "macro", "fetchRequest", "query" }} do pcall(p.swift, p, f, {{ entity = Quake }}) end
        p:check(Quake) p:why(Quake:first()) p:counts(Quake) p:explain(Quake) local again = Predicate(p.format)
        if again.format ~= p.format then error("DISAGREE: prints " .. p.format .. " and then " .. again.format) end""",
    "request": "local r = Quake:where({T}):sorted('-magnitude'):live() r.fetchLimit = 3 local n = #r Quake:first().magnitude = 9.9 context:processPendingChanges() local m = #r r:close()",
    "expression": "local e = Expression({T}) local v = Quake:sorted({T}):first() e:evaluate(Quake:first()) e:swift()",
    "keypath": "Quake:sorted({T}):fetch() Quake:groupBy({T}, {{ n = 'count' }}) Quake:first():value({T})",
    "model": "local m = Model({T}) m:source 'lua' m:source 'swiftData' m:source 'xcdatamodel' local s = open(':memory:', {{ model = m }}) s:close()",
    "history": "local h = store:history({T}) local n = #h h:swift()",
    "csv": "local f = io.open('t.csv', 'wb') f:write({T}) f:close() local s = open 't.csv' for _, n in ipairs(s.model.entityNames) do tostring(s.entities[n]:first()) end s:close() import(Report, 't.csv')",
    "json": "local f = io.open('t.json', 'wb') f:write({T}) f:close() local s = open 't.json' s:close() import(Quake, 't.json', {{ upsert = 'code' }})",
    "ndjson": "local f = io.open('t.ndjson', 'wb') f:write({T}) f:close() local s = open 't.ndjson' s:close()",
    "sql": "for row in ipairs(store:sql({T})) do end",
    "values": "Date({T}) ", "decimal": "Decimal({T})", "uuid": "UUID({T})",
    "lua": "show({{ {T} }}, {{ mode = 'json' }}) show({T}) tostring(load({T}))",
}
ROWS = [
    "code,magnitude,place,time\nus1,5.1,\"a, \"\"b\"\"\",2024-01-22T16:26:12Z\nus2,,x,\n",
    '[{"code": "us1", "magnitude": 5.1, "mainshock": null, "place": "x"}, {"code": "u", "deep": [[[1]]]}]',
    '{"code": "us1", "magnitude": 1e3}\n{"code": "us2", "tags": ["a", {"b": true}]}\n',
    "text\tintensity\tsubmitted\nfelt\t3\t2024-01-01\n",
    "INSERT INTO quake (code) VALUES ('x')", "SELECT * FROM quake WHERE magnitude > 5 UNION SELECT 1",
]


def programs(random, count):
    texts = corpus()
    kinds = {
        "condition": [t for t in texts if re.search(r"[<>=]|CONTAINS|LIKE|MATCHES|WITH|BETWEEN| IN |@count", t)],
        "swift": [t for t in texts if re.search(r"@Model|\bclass\b|\bstruct\b", t)],
        "rows": ROWS,
        "any": texts,
    }
    uses = sorted(USES)
    weights = [6 if use in ("predicate", "request", "model", "expression") else 2 for use in uses]
    for _ in range(count):
        use = random.choices(uses, weights)[0]
        # Mostly what the use is for; of conditions, half are only joined with others, so that many can be asked.
        kind = {"predicate": "condition", "request": "condition", "model": "swift", "csv": "rows", "json": "rows", "ndjson": "rows"}
        mine = kinds[kind.get(use, "any")] if random.random() < 0.85 else texts
        text = random.choice(mine)
        if use in ("predicate", "request") and random.random() < 0.5:
            for _ in range(random.randrange(3)):
                text = random.choice(("NOT ({0})", "({0}) AND ({1})", "({0}) OR {1}", "{1} AND NOT ({0})")).format(text, random.choice(mine))
        else:
            text = mutate(text, random, texts)
        yield re.sub(r"\s*\n\s*", " ", USES[use].format(T=quoted(text)))
