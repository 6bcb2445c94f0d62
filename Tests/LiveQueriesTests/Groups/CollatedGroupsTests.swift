import Modeling
import ObjectGraph
import Queries
import SQLiteStorage
import Stores
import TestSupport
import Testing

@testable import LiveQueries

/// Groups by columns whose collation takes unlike texts for equal.
@Suite(.seeded) struct CollatedGroupsTests {
  private let folder: TemporaryFolder
  private let world: LiveWorld

  init() throws {
    folder = try TemporaryFolder()
    let path = try folder.database(
      "words.sqlite",
      """
      CREATE TABLE language(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE);
      CREATE TABLE word(id INTEGER PRIMARY KEY, text TEXT COLLATE NOCASE, tail TEXT COLLATE RTRIM, plain TEXT, weight REAL,
        language_id INTEGER REFERENCES language(id));
      INSERT INTO language VALUES (1, 'de'), (2, 'DE'), (3, 'fr');
      """)
    world = try LiveWorld(SQLiteStore(StoreOptions(path: path)))
  }

  private func values(_ keys: [String], _ columns: [(String, String)], distinct: Bool = false) throws -> FetchedValues {
    var request = try world.request("Word")
    request.resultType = .dictionaries
    request.propertiesToFetch = try (keys.map { ($0, $0) } + columns).map { try FetchedColumn($0.0, parsing: $0.1) }
    if distinct {
      request.returnsDistinctResults = true
    } else {
      request.propertiesToGroupBy = try keys.map { try Expression.parse($0) }
    }
    return try FetchedValues(request, in: world.live.context(world.context))
  }

  @Test func textsThatTheCollationTakesForEqualAreOneGroupThatSaysTheFirstByBytes() throws {
    try world.sql(
      "INSERT INTO word(text, weight) VALUES ('Chile', 1), ('chile', 2), ('peru', 3), ('CHILE', 4), (NULL, 5)")
    let groups = try values(["text"], [("n", "count"), ("top", "max(weight)")])
    #expect(
      Array(groups) == [
        [.null, .int(1), .double(5)], [.string("CHILE"), .int(3), .double(4)], [.string("peru"), .int(1), .double(3)],
      ])
    var told: [[[Value]]] = []
    _ = groups.onChange { told.append($0.updated.map(\.oldValues) + $0.updated.map(\.values)) }
    try world.sql("DELETE FROM word WHERE text = 'CHILE' AND weight = 4")
    #expect(told == [[[.string("CHILE"), .int(3), .double(4)], [.string("Chile"), .int(2), .double(2)]]])
    #expect(try groups.explanation().method == .maintained)
  }

  @Test(arguments: 0..<UInt64(Effort.rounds(12)))
  func groupsByCollationAreWhatSQLAnswers(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let texts = ["a", "A", "a ", "ab", "AB", "aB  ", "é", "É", "", " ", "[", "z", "Z", "_"]
    func text() -> String { random.chance(oneIn: 8) ? "NULL" : "'\(random.pick(texts))'" }
    let kept: [(values: FetchedValues, sql: String)] = [
      (
        try values(["text"], [("n", "count"), ("top", "max(weight)"), ("last", "max(text)")]),
        """
        SELECT min(text COLLATE BINARY), count(*), max(weight), max(text COLLATE BINARY) FROM word GROUP BY text ORDER BY text
        """
      ),
      (
        try values(["tail", "text"], [("n", "count"), ("sum", "sum(weight)")]),
        """
        SELECT min(tail COLLATE BINARY), min(text COLLATE BINARY), count(*), coalesce(sum(weight), 0) FROM word
        GROUP BY tail, text ORDER BY tail, text
        """
      ),
      (
        try values(["text", "plain"], [], distinct: true),
        "SELECT min(text COLLATE BINARY), plain FROM word GROUP BY text, plain ORDER BY text, plain"
      ),
      (
        try values(["language.name"], [("n", "count")]),
        """
        SELECT min(name COLLATE BINARY), count(*) FROM word LEFT JOIN language ON language.id = language_id
        GROUP BY name ORDER BY name
        """
      ),
    ]
    let mirrors = kept.map { ValuesMirror($0.values) }
    for _ in 0..<30 {
      for _ in 0..<1 + random.below(3) {
        let id = 1 + random.below(20)
        switch random.below(5) {
        case 0: try world.sql("DELETE FROM word WHERE id = \(id)", runsTurn: false)
        case 1: try world.sql("UPDATE language SET name = \(text()) WHERE id = \(1 + id % 3)", runsTurn: false)
        case 2:
          try world.sql("UPDATE word SET text = \(text()), tail = \(text()) WHERE id = \(id)", runsTurn: false)
        default:
          try world.sql(
            """
            INSERT OR REPLACE INTO word VALUES (\(id), \(text()), \(text()), \(text()), \(random.below(9)).5,
              \(1 + random.below(3)))
            """, runsTurn: false)
        }
      }
      try world.turn.run()
      for (index, one) in kept.enumerated() {
        let shown = Array(one.values)
        #expect(shown == (try rows(one.sql)), "\(one.sql)")
        #expect(shown == (try world.store.allRows(of: one.values.request)))
        #expect(mirrors[index].problemsOfDifferences() == [])
        try one.values.checkInvariants()
        #expect(try one.values.explanation().method == .maintained)
      }
    }
    #expect(world.failures == [])
  }

  private func rows(_ sql: String) throws -> [[Value]] {
    let cursor = try world.store.sql(sql, [])
    defer { cursor.close() }
    var rows: [[Value]] = []
    while try cursor.step() { rows.append(cursor.columns.indices.map(cursor.value)) }
    return rows
  }

  @Test func unsavedTextsJoinTheGroupThatTheCollationSays() throws {
    try world.sql("INSERT INTO word(text) VALUES ('one'), ('two')")
    let groups = try values(["text"], [("n", "count")])
    try world.make("Word", ["text": .string("ONE")])
    try world.turn.run()
    #expect(Array(groups) == [[.string("ONE"), .int(2)], [.string("two"), .int(1)]])
    world.context.rollback()
    try world.turn.run()
    #expect(Array(groups) == [[.string("one"), .int(1)], [.string("two"), .int(1)]])
  }

  @Test func valuesOfSectionsAreOfTheTextsThatSectionsTellApart() throws {
    try world.sql("INSERT INTO word(text, weight) VALUES ('b', 1), ('B', 2), ('b', 3)")
    var request = try world.request("Word", nil, section: "text")
    request.sectionValues = [try FetchedColumn("n", parsing: "count")]
    let results = try world.results(request)
    #expect(try results.values(ofSection: .string("B")) == [.int(1)])
    #expect(try results.values(ofSection: .string("b")) == [.int(2)])
  }

  @Test func aConditionOnGroupsSeesTheTextThatTheyShow() throws {
    try world.sql("INSERT INTO word(text) VALUES ('one'), ('ONE'), ('two')")
    var request = try values(["text"], [("n", "count")]).request
    request.havingPredicate = try Predicate.parse("text == 'ONE' AND max(text) == 'one'")
    let groups = try FetchedValues(request, in: world.live.context(world.context))
    #expect(Array(groups) == [[.string("ONE"), .int(2)]])
    #expect(try world.store.allRows(of: request) == Array(groups))
  }
}
