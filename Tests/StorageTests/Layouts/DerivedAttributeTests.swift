import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct DerivedAttributeTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func derived(_ name: String, _ type: AttributeType, _ derivation: String, indexed: Bool = false) -> Property {
    var attribute = Attribute(name, type)
    attribute.derivation = derivation
    attribute.isIndexed = indexed
    return .attribute(attribute)
  }

  /// Makes a store and gives its path: everything else is done by sqlite3 itself.
  private func store(_ entities: [EntityDescription]) throws -> String {
    var options = StoreOptions(path: folder.file("a.sqlite"))
    options.create = true
    options.model = try Model(entities)
    try SQLiteStore(options).close()
    return options.path
  }

  private func refusal(_ type: AttributeType, _ derivation: String) throws -> DerivationError.Obstacle? {
    let quake = EntityDescription(
      "Quake",
      properties: [
        .attribute(Attribute("time", .date)), .attribute(Attribute("price", .decimal)),
        .attribute(Attribute("name", .string)), .relationship(Relationship(toMany: "reports", "Report")),
        derived("total", .double, "reports.@sum.score"), derived("x", type, derivation),
      ])
    let report = EntityDescription(
      "Report",
      properties: [.attribute(Attribute("score", .integer64)), .relationship(Relationship(toOne: "quake", "Quake"))])
    let model = try Model([quake, report])
    do throws(DerivationError) {
      _ = try ModelLayout(model)
      return nil
    } catch {
      #expect((error.entity, error.attribute, error.derivation) == ("Quake", "x", derivation))
      return error.obstacle
    }
  }

  @Test func valuesOfTheRowAreGenerated() throws {
    let path = try store([
      EntityDescription(
        "Quake",
        properties: [
          .attribute(Attribute("time", .date)), .attribute(Attribute("place", .string)),
          .attribute(Attribute("n", .integer64)),
          derived("day", .string, "day(time)", indexed: true), derived("month", .string, "month(time)"),
          derived("year", .integer64, "year(time)"), derived("weekday", .integer64, "weekday(time)"),
          derived("clock", .integer64, "hour(time) * 3600 + minute(time) * 60 + second(time)"),
          derived("low", .string, "lowercase(place)"), derived("both", .string, "place + '/' + low"),
          derived("size", .integer64, "length(trim(place)) + n / 2"),
        ])
    ])
    let output = try sqlite3(
      path,
      """
      INSERT INTO quake (time, place, n) VALUES (1705940772.9999, ' Chile', 5), (-0.25, NULL, NULL);
      SELECT day, month, year, weekday, clock, low, both, size FROM quake;
      EXPLAIN QUERY PLAN SELECT * FROM quake WHERE day = 'x';
      """)
    #expect(
      output.split(separator: "\n").map(String.init) == [
        "2024-01-22|2024-01|2024|2|59172| chile| Chile/ chile|7", "1969-12-31|1969-12|1969|4|86399|||", "QUERY PLAN",
        "`--SEARCH quake USING INDEX quake_day_index (day=?)",
      ])
  }

  @Test func valuesOfRelatedRowsFollowThem() throws {
    let path = try store([
      EntityDescription(
        "Book",
        properties: [
          .relationship(Relationship(toOne: "author", "Author")), derived("authorName", .string, "author.name"),
          derived("country", .string, "author.country.code"), derived("label", .string, "uppercase(author.name) + '!'"),
        ]),
      EntityDescription(
        "Author",
        properties: [.attribute(Attribute("name", .string)), .relationship(Relationship(toOne: "country", "Country"))]),
      EntityDescription("Country", properties: [.attribute(Attribute("code", .string))]),
    ])
    let show = "SELECT authorName, country, label FROM book ORDER BY _pk;"
    let output = try sqlite3(
      path,
      """
      PRAGMA foreign_keys = ON;
      BEGIN; INSERT INTO book (author_pk) VALUES (1), (1), (NULL);
      INSERT INTO author VALUES (1, 'Ann', 7), (2, 'Bob', NULL); INSERT INTO country VALUES (7, 'CL'); COMMIT;
      \(show)
      UPDATE author SET name = 'Anna' WHERE _pk = 1; UPDATE country SET code = 'PE'; \(show)
      UPDATE author SET country_pk = NULL WHERE _pk = 1; UPDATE book SET author_pk = 2 WHERE _pk = 2; \(show)
      DELETE FROM author; \(show)
      """)
    #expect(
      output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) == [
        "Ann|CL|ANN!", "Ann|CL|ANN!", "||", "Anna|PE|ANNA!", "Anna|PE|ANNA!", "||", "Anna||ANNA!", "Bob||BOB!", "||",
        "||",
        "||", "||",
      ])
  }

  @Test func aggregatesFollowTheirMembers() throws {
    let path = try store([
      EntityDescription(
        "Quake",
        properties: [
          .relationship(Relationship(toMany: "reports", "Report")), derived("n", .integer64, "reports.@count"),
          derived("total", .integer64, "reports.@sum.score"), derived("best", .integer64, "max(reports.score)"),
          derived("mean", .double, "reports.@avg.score"), derived("twice", .integer64, "count(reports) * 2"),
        ]),
      EntityDescription(
        "Report",
        properties: [.attribute(Attribute("score", .integer64)), .relationship(Relationship(toOne: "quake", "Quake"))]),
    ])
    let show = "SELECT n, total, best, mean, twice FROM quake ORDER BY _pk;"
    let output = try sqlite3(
      path,
      """
      INSERT INTO report (score, quake_pk) VALUES (1, 1), (2, 1), (NULL, 2), (9, NULL);
      INSERT INTO quake (_pk) VALUES (1), (2); \(show)
      UPDATE report SET quake_pk = 2 WHERE score = 2; \(show)
      UPDATE report SET score = 10 WHERE _pk = 3; \(show)
      DELETE FROM report WHERE quake_pk = 2; \(show)
      INSERT INTO report (score, quake_pk) VALUES (4, 2); \(show)
      """)
    #expect(
      output.split(separator: "\n").map(String.init) == [
        "2|3|2|1.5|4", "1|0|||2", "1|1|1|1.0|2", "2|2|2|2.0|4", "1|1|1|1.0|2", "2|12|10|6.0|4", "1|1|1|1.0|2",
        "0|0|||0",
        "1|1|1|1.0|2", "1|4|4|4.0|2",
      ])
  }

  @Test func aggregatesFollowTablesOfPairs() throws {
    let path = try store([
      EntityDescription(
        "Song",
        properties: [
          .relationship(Relationship(toMany: "tags", "Tag")), derived("n", .integer64, "tags.@count"),
          derived("first", .string, "tags.@min.name"),
        ]),
      EntityDescription(
        "Tag",
        properties: [.attribute(Attribute("name", .string)), .relationship(Relationship(toMany: "songs", "Song"))]),
    ])
    let show = "SELECT n, first FROM song;"
    let output = try sqlite3(
      path,
      """
      INSERT INTO song (_pk) VALUES (1); INSERT INTO tag VALUES (1, 'b'), (2, 'a'); \(show)
      INSERT INTO song_tags VALUES (1, 1), (1, 2); \(show)
      UPDATE tag SET name = 'c' WHERE _pk = 2; \(show)
      DELETE FROM song_tags WHERE tag_pk = 1; \(show)
      """)
    #expect(output.split(separator: "\n").map(String.init) == ["0|", "2|a", "2|b", "1|c"])
  }

  @Test func canonicalTextIsWhatFoldingInMemoryMakesOfIt() throws {
    let path = try store([
      EntityDescription(
        "Place",
        properties: [
          .attribute(Attribute("name", .string)), derived("plain", .string, "canonical(name)", indexed: true),
          .relationship(Relationship(toOne: "country", "Country")),
          derived("land", .string, "canonical(country.name)"),
        ]),
      EntityDescription("Country", properties: [.attribute(Attribute("name", .string))]),
    ])
    let texts = [
      "ABC def", "", "ÉCOLE", "Ōsaka", "Straße", "ﬁn", "e\u{301}\u{302}a", "Ålesund \\ \"x\"", "ΑΘΉΝΑ", "МОСКВА й",
      "İstanbul ı",
      "東京 한국", "Ǆ Ǌ", "ＡＢＣ", "O'Higgins", "a\u{7F}b", "😀É",
    ]
    let rows = texts.map { "('\($0.replacing("'", with: "''"))')" }.joined(separator: ", ")
    let output = try sqlite3(
      path,
      """
      INSERT INTO place (name) VALUES \(rows), (NULL);
      INSERT INTO country (name) VALUES ('Perú'); UPDATE place SET country_pk = 1 WHERE name = 'ABC def';
      UPDATE country SET name = 'CURAÇAO';
      SELECT plain FROM place WHERE name IS NOT NULL; SELECT land FROM place WHERE land IS NOT NULL;
      """)
    #expect(
      output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        == texts.map { folded($0, [.caseInsensitive, .diacriticInsensitive]) } + ["curacao"])
  }

  @Test func nowIsTheTimeOfTheLastChange() throws {
    let path = try store([
      EntityDescription("Quake", properties: [.attribute(Attribute("a", .string)), derived("changed", .date, "now()")])
    ])
    let output = try sqlite3(
      path,
      """
      INSERT INTO quake (a) VALUES ('x'); SELECT abs(changed - strftime('%s', 'now')) < 60 FROM quake;
      UPDATE quake SET changed = 0; SELECT changed FROM quake;
      UPDATE quake SET a = 'y'; SELECT changed > 0 FROM quake;
      """)
    #expect(output == "1\n0.0\n1")
  }

  @Test func whatSQLiteAloneCannotComputeIsRefused() throws {
    #expect(try refusal(.string, "sqrt(price)") == .function("sqrt"))
    #expect(try refusal(.double, "price * 2") == .decimals)
    #expect(try refusal(.string, "reports.score") == .manyValues(path: "reports.score"))
    #expect(try refusal(.string, "day(name)") == .needsDate(function: "day"))
    #expect(try refusal(.string, "reports") == .noAttribute(path: "reports"))
    #expect(try refusal(.double, "total + 1") == nil)
    #expect(try refusal(.double, "total + reports.@count") == .derivedThroughRelationships(path: "total"))
    #expect(try refusal(.string, "x + 'a'") == .itself)
    #expect(try refusal(.string, "SUBQUERY(reports, $r, $r.score > 1).@count") != nil)
    for (text, fact) in [
      ("nam", PredicateError.Fact.unknownProperty("nam", entity: "Quake", nearest: "name")),
      ("name +", .unexpected(found: "the end", expected: "a value")),
    ] {
      guard case .text(let error)? = try refusal(.string, text) else {
        Issue.record("\(text) is accepted")
        continue
      }
      #expect(error.issues.map(\.fact) == [fact])
    }
  }
}
