import Foundation
import Modeling
import Queries
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct PredicateSQLTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  @Test(arguments: [
    ("magnitude >= 5", "t0.magnitude >= 5"),
    ("magnitude == nil", "t0.magnitude IS NULL"),
    ("magnitude != nil", "t0.magnitude IS NOT NULL"),
    ("NOT magnitude == nil", "t0.magnitude IS NOT NULL"),
    ("magnitude BETWEEN {1, 2}", "t0.magnitude >= 1 AND t0.magnitude <= 2"),
    ("magnitude IN {1, 2}", "t0.magnitude IN (1, 2)"),
    ("NOT magnitude IN {1, 2}", "t0.magnitude NOT IN (1, 2)"),
    ("magnitude IN {}", "0"),
    ("NOT (magnitude > 5 AND place == 'x')", "t0.magnitude <= 5 OR t0.place <> 'x'"),
    ("magnitude > 1 AND (place == 'x' OR isFelt == YES)", "t0.magnitude > 1 AND (t0.place = 'x' OR t0.isFelt = 1)"),
    ("TRUEPREDICATE", "1"),
    ("NOT TRUEPREDICATE", "0"),
    ("place CONTAINS 'x'", "instr(t0.place, 'x') > 0"),
    ("NOT place CONTAINS 'x'", "instr(t0.place, 'x') = 0"),
    ("place CONTAINS[cd] 'X'", "text_contains(t0.place, 'X', 'cd')"),
    ("NOT place CONTAINS[cd] 'X'", "NOT text_contains(t0.place, 'X', 'cd')"),
    ("place BEGINSWITH 'ab'", "t0.place >= 'ab' AND t0.place < 'ac'"),
    ("NOT place BEGINSWITH 'ab'", "NOT (t0.place >= 'ab' AND t0.place < 'ac')"),
    ("place ENDSWITH 'ab'", "substr(t0.place, -2) = 'ab'"),
    ("place LIKE 'a*b?'", "t0.place >= 'a' AND t0.place < 'b' AND t0.place GLOB 'a*b?'"),
    ("NOT place LIKE 'a*b?'", "t0.place NOT GLOB 'a*b?'"), ("place LIKE '*b'", "t0.place GLOB '*b'"),
    ("year(time) == 2024", "t0.time >= 1704067200.0 AND t0.time < 1735689600.0"),
    ("place <[l] 'b'", "text_compare(t0.place, 'b', 'l') < 0"),
    (
      "ANY info == 'x'",
      "EXISTS (SELECT 1 FROM json_each(CASE WHEN json_type(t0.info) = 'array' THEN t0.info END) AS t1 WHERE t1.value = 'x')"
    ),
    ("place LIKE 'a[b'", "t0.place >= 'a[b' AND t0.place < 'a[c' AND text_like(t0.place, 'a[b', '')"),
    ("place LIKE[c] 'a*'", "text_like(t0.place, 'a*', 'c')"),
    ("place MATCHES 'a.*'", "t0.place >= 'a' AND t0.place < 'b' AND text_matches(t0.place, 'a.*', '')"),
    ("place ==[c] 'CHILE'", "text_fold(t0.place, 'c') = 'chile'"),
    ("'x' IN place", "instr(t0.place, 'x') > 0"),
    ("depth > 1.5", "t0.depth COLLATE decimal > '1.5'"),
    ("magnitude + 1 > 2 * magnitude", "(t0.magnitude + 1) > (2 * t0.magnitude)"),
    ("uuid == 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'", "t0.uuid = 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'"),
    ("address.city == 'Rome'", #"json_extract(t0.address, '$."city"') = 'Rome'"#),
    ("isFelt == YES", "t0.isFelt = 1"),
    (
      "TERNARY(magnitude > 5, 'big', 'small') == 'big'",
      "CASE WHEN t0.magnitude > 5 THEN 'big' ELSE 'small' END = 'big'"
    ),
    ("length(place) > 3", "length(t0.place) > 3"),
    ("lowercase(place) == 'x'", "call('lowercase', 's', t0.place) = 'x'"),
    ("noindex:(magnitude) > 3", "(+t0.magnitude) > 3"),
    ("length(noindex:(place)) > 3", "length((+t0.place)) > 3"),
    ("noindex:(magnitude) + noindex:(2) > 3", "((+t0.magnitude) + 2) > 3"),
  ])
  func operatorsHaveTheirSQL(_ format: String, _ sql: String) throws {
    #expect(try sample.condition("Quake", format) == sql)
  }

  @Test(arguments: [
    (
      "network.name == 'us'",
      "SELECT t0._pk FROM quake AS t0 LEFT JOIN network AS t1 ON t1._pk = t0.network_pk WHERE t1.name = 'us'"
    ),
    ("network == nil", "SELECT t0._pk FROM quake AS t0 WHERE t0.network_pk IS NULL"),
    (
      "network.name == 'us' OR network.name == nil",
      "SELECT t0._pk FROM quake AS t0 LEFT JOIN network AS t1 ON t1._pk = t0.network_pk "
        + "WHERE t1.name = 'us' OR t1.name IS NULL"
    ),
    (
      "ANY reports.score > 3",
      "SELECT t0._pk FROM quake AS t0 WHERE EXISTS (SELECT 1 FROM report AS t1 "
        + "WHERE t1.quake_pk = t0._pk AND t1.score > 3)"
    ),
    (
      "NONE reports.score > 3",
      "SELECT t0._pk FROM quake AS t0 WHERE NOT EXISTS (SELECT 1 FROM report AS t1 "
        + "WHERE t1.quake_pk = t0._pk AND t1.score > 3)"
    ),
    (
      "ALL reports.score > 3",
      "SELECT t0._pk FROM quake AS t0 WHERE NOT EXISTS (SELECT 1 FROM report AS t1 "
        + "WHERE t1.quake_pk = t0._pk AND (t1.score > 3) IS NOT TRUE)"
    ),
    (
      "NOT ANY reports.score > 3",
      "SELECT t0._pk FROM quake AS t0 WHERE NOT EXISTS (SELECT 1 FROM report AS t1 "
        + "WHERE t1.quake_pk = t0._pk AND t1.score > 3)"
    ),
    (
      "reports.@count > 2",
      "SELECT t0._pk FROM quake AS t0 WHERE (SELECT count(*) FROM report AS t1 WHERE t1.quake_pk = t0._pk) > 2"
    ),
    (
      "reports.@sum.score > 2",
      "SELECT t0._pk FROM quake AS t0 WHERE (SELECT exact_sum(t1.score) FROM report AS t1 "
        + "WHERE t1.quake_pk = t0._pk) > 2"
    ),
    (
      "SUBQUERY(reports, $r, $r.score > 1 AND $r.quake.magnitude > magnitude).@count > 0",
      "SELECT t0._pk FROM quake AS t0 WHERE (SELECT count(*) FROM report AS t1 LEFT JOIN quake AS t2 "
        + "ON t2._pk = t1.quake_pk WHERE t1.quake_pk = t0._pk AND t1.score > 1 AND t2.magnitude > t0.magnitude) > 0"
    ),
  ])
  func pathsBecomeJoinsAndSubqueries(_ format: String, _ sql: String) throws {
    #expect(try sample.sql("Quake", format) == sql)
  }

  @Test func manyToManyGoesThroughTheTableOfPairs() throws {
    let sql = try sample.sql("Quake", "ANY tags.label == 'x'")
    #expect(sql.contains("EXISTS (SELECT 1 FROM "))
    #expect(sql.contains("JOIN tag AS t1 ON t1._pk = t2."))
  }

  @Test func subentitiesAreToldByTheirDiscriminator() throws {
    #expect(try sample.sql("Vehicle", "name == 'x'") == "SELECT t0._pk FROM vehicle AS t0 WHERE t0.name = 'x'")
    #expect(
      try sample.sql("Car", "doors > 3")
        == "SELECT t0._pk FROM vehicle AS t0 WHERE t0._entity = 'Car' AND t0.doors > 3")
  }

  /// What a store of any format refuses although it is checked before: the compiler does not rely on that.
  @Test(arguments: [
    ("year(place) == 1", "String"), ("month(magnitude) == 1", "number"), ("day(depth) == 1", "Decimal"),
    ("hour(isFelt) == 1", "Bool"), ("minute(uuid) == 1", "UUID"), ("second(raw) == 1", "Data"),
    ("weekday(info) == 1", "JSON"),
  ])
  func aPartOfWhatIsNoDateIsAMistake(_ format: String, _ kind: String) throws {
    let error = #expect(throws: Queries.PredicateError.self) { try sample.condition("Quake", format) }
    #expect("\(try #require(error))".contains("found: \"\(kind)\""))
  }

  @Test(arguments: [
    "{1, 2} == magnitude", "SUBQUERY(reports, $r, $r.score > 1) == 3", "magnitude + {1, 2} == 3", "reports == 3",
    "sum({reports}) > 3", "SUBQUERY({1, 2}, $n, $n > 1).@count == 1 AND SUBQUERY(place, $n, $n > 1).@count == 1",
    "lowercase(reports) == 'x'", "reports.@max.quake > 3", "TERNARY(place, 1, 2) == 1",
  ])
  func whatHasNoSQLIsRefused(_ format: String) throws {
    #expect(throws: Queries.PredicateError.self) { try sample.condition("Quake", format) }
  }

  @Test func longListsTravelAsJSON() throws {
    let numbers = (0..<1000).map { Value.int($0) }
    var request = FetchRequest(sample.entity("Quake"))
    request.predicate = .comparison(Comparison(.path(PropertyPath(["count"])), .in, .constant(.list(numbers))))
    let sql = try RequestSQL(request, sample.store.schema).keys()
    #expect(sql.text == "SELECT t0._pk FROM quake AS t0 WHERE t0.count IN (SELECT value FROM json_each(?))")
    #expect(sql.arguments.count == 1)
    try sample.insert("Quake", ["count": .int(500)])
    try sample.insert("Quake", ["count": .int(5000)])
    #expect(try sample.store.count(request) == 1)
  }

  @Test func dateFunctionsAgreeWithTimestamp() throws {
    for seconds in [0, -1, -0.25, 86399.9999, 1_705_940_772.5, -62_135_596_800, 253_402_300_799.5, 951_782_400] {
      let key = try sample.insert("Quake", ["time": .date(Timestamp(seconds))])
      let parts = try #require(Timestamp(seconds.rounded(.down)).components)
      var request = FetchRequest(sample.entity("Quake"))
      request.predicate = try Predicate.parse(
        "SELF == %@", arguments: [.value(.object(ObjectID(entity: request.entity, key: key)))])
      request.resultType = .dictionaries
      request.propertiesToFetch = try ["year", "month", "day", "hour", "minute", "second", "weekday"].map {
        FetchedColumn($0, try Expression.parse("\($0)(time)"))
      }
      let rows = try sample.store.dictionaries(request)
      #expect(try rows.step())
      let found = (0..<7).map(rows.value)
      let date = Timestamp(seconds.rounded(.down))
      #expect(
        found == [
          .int(Int64(parts.year)), .string(date.monthText), .string(date.dayText), .int(Int64(parts.hour)),
          .int(Int64(parts.minute)), .int(Int64(parts.second)), .int(Int64(parts.weekday)),
        ])
    }
  }

  @Test func unsupportedThingsAreErrors() throws {
    #expect(throws: Queries.PredicateError.self) { try sample.sql("Quake", "note == 'x'") }
    #expect(throws: Queries.PredicateError.self) { try sample.sql("Quake", "reports.text == 'x'") }
    #expect(throws: Queries.PredicateError.self) { try sample.sql("Quake", "nope == 'x'") }
    #expect(throws: Queries.PredicateError.self) { try sample.sql("Quake", "max(magnitude) > 2") }
  }
}
