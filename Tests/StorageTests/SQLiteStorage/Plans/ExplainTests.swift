import Modeling
import Queries
import Stores
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite struct ExplainTests {
  let sample: Sample
  var store: SQLiteStore { sample.store }

  /// Two thousand earthquakes of forty networks, every tenth with a report.
  init() throws {
    sample = try Sample()
    _ = try store.sql(
      """
      WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 400)
      INSERT INTO network (_pk, name) SELECT n, 'n' || n FROM c;
      WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2000)
      INSERT INTO quake (_pk, code, magnitude, place, time, isFelt, count, network_pk)
      SELECT n, 'q' || n, n % 100 / 10.0, 'p' || (n % 7), n * 1000, n % 3 = 0, n * 37 % 500, n % 400 + 1 FROM c;
      INSERT INTO report (text, score, quake_pk) SELECT 'r' || _pk, _pk % 11, _pk FROM quake WHERE _pk % 10 = 0;
      """)
  }

  private func request(_ format: String?, sort: [String] = [], limit: Int? = nil) throws -> FetchRequest {
    var request = try sample.request("Quake", format)
    request.sortDescriptors = sort.map { SortDescriptor($0) }
    request.fetchLimit = limit
    return request
  }

  private func words(_ format: String?, sort: [String] = []) throws -> [String] {
    try store.plans.explain(try request(format, sort: sort)).words.map {
      String(repeating: "  ", count: $0.depth) + $0.text
    }
  }

  @Test func plansAreToldByEntitiesAndRelationships() throws {
    #expect(
      try words("magnitude >= 9", sort: ["count"]) == [
        "finds Quake by index quake_magnitude_index (magnitude > ?)", "sorts 200 rows in memory",
      ])
    #expect(try words("count == 3") == ["reads all of Quake (2,000 rows)"])
    #expect(
      try words("magnitude == 3 OR code == 'q7'") == [
        "unites the rows of two look-ups:", "  finds Quake by index quake_magnitude_index (magnitude = ?)",
        "  finds Quake by index quake_code_unique (code = ?)",
      ])
    #expect(
      try words("network.name == 'n5'") == [
        "finds network by index network_name_unique (name = ?), which alone answers it",
        "then finds Quake by index quake_network_pk_index (network = ?)",
      ])
  }

  @Test func anUnindexedConditionIsWarnedOfAndAdvised() throws {
    let explanation = try store.plans.explain(try request("count == 3 AND isFelt == YES", sort: ["time"]))
    #expect(explanation.warnings.contains(.readsAll(entity: "Quake", rows: 2000, wanted: explanation.rowsReturned)))
    #expect(explanation.advice.map(\.keyText) == ["count, isFelt, time"])
    #expect(explanation.advice.first?.modelText == "_ = { indexes = { { \"count\", \"isFelt\", \"time\" } } }")
    #expect(
      try store.plans.explain(try request("isFelt == YES AND count > 480")).advice.map(\.keyText) == ["isFelt, count"])
    let single = try store.plans.explain(try request("count > 490"))
    #expect(single.advice.map(\.modelText) == ["count = Int { indexed = true }"])
    #expect(single.displaySQL.hasSuffix("FROM quake AS t0\nWHERE t0.count > 490"))
  }

  @Test func whatIsFastIsNotWarnedOf() throws {
    for format in ["magnitude == 3", "code == 'q9'", "network.name == 'n3'", nil] {
      let explanation = try store.plans.explain(try request(format))
      #expect(explanation.warnings.isEmpty, "\(format ?? "all")")
      #expect(explanation.advice.isEmpty)
    }
    var tags = try sample.request("Tag", "label == 'x'")
    #expect(try store.plans.explain(tags).warnings.isEmpty)
    tags.sortDescriptors = [SortDescriptor("label")]
    #expect(try store.plans.explain(tags).advice.isEmpty)
  }

  @Test func whatNoIndexFindsIsNamed() throws {
    func obstacles(_ format: String) throws -> [ExplanationWarning] {
      try store.plans.explain(try request(format)).warnings.filter { if case .unindexable = $0 { true } else { false } }
    }
    #expect(
      try obstacles("hour(time) == 7") == [
        .unindexable(clause: "hour(time) == 7", .function("hour", of: "time"))
      ])
    #expect(try obstacles("year(time) == 1971").isEmpty)
    #expect(try obstacles("place ==[c] 'P99'") == [.unindexable(clause: "place ==[c] \"P99\"", .folding("[c]"))])
    #expect(try obstacles("place LIKE '*99'") == [.unindexable(clause: "place LIKE \"*99\"", .anywhere)])
    #expect(try obstacles("place CONTAINS '99'") == [.unindexable(clause: "place CONTAINS \"99\"", .anywhere)])
  }

  @Test func whatAdviceSaysEndsTheWarning() throws {
    let requests: [FetchRequest] = [
      try request("count == 3"), try request("count > 490"), try request("count > 490 AND isFelt == YES"),
      try request("count == 3", sort: ["-time"], limit: 5), try request(nil, sort: ["-count"], limit: 5),
      try request(nil, sort: ["count", "-time"]), try request("count == 3 OR isFelt == YES AND count > 495"),
      try request("network.name BEGINSWITH 'n39' AND count == 8"), try request("count IN {1, 2, 3}"),
      try request("count BETWEEN {490, 495}", sort: ["count"]), try request("depth == nil AND count == 7"),
      try sample.request("Report", "score == 3"), try sample.request("Report", "quake.count == 3"),
      try sample.request("Network", "ANY quakes.count == 3"),
    ]
    for request in requests {
      let before = try store.plans.explain(request)
      let advised = before.warnings.filter { warning in
        switch warning {
        case .readsAll, .sorts, .readsAllAgain, .automaticIndex: true
        case .unindexable: false
        }
      }
      guard !before.advice.isEmpty else {
        #expect(request.entity.name == "Network" || advised.isEmpty, "\(request.entity.name) \(request.predicate!)")
        continue
      }
      #expect(!advised.isEmpty)
      try store.connection.execute("SAVEPOINT made")
      for advice in before.advice { try store.connection.execute(try store.plans.statement(making: advice)) }
      let after = try store.plans.explain(request)
      #expect(after.rowsReturned == before.rowsReturned)
      #expect(after.warnings.count < before.warnings.count, "\(request.predicate.map { "\($0)" } ?? "all")")
      #expect(after.advice.isEmpty, "\(after.advice.map(\.keyText))")
      try store.connection.execute("ROLLBACK TO made; RELEASE made")
    }
  }

  @Test func aMissingKeyOfAReferenceIsAdvisedInFilesMadeElsewhere() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "shop.sqlite",
      """
      CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, author_id INTEGER REFERENCES author(id));
      WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300) INSERT INTO author SELECT n, 'a' || n FROM c;
      WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 900) INSERT INTO book SELECT n, 't' || n, n % 300 + 1 FROM c;
      """)
    let store = try SQLiteStore(StoreOptions(path: path))
    var request = FetchRequest(store.model.entity(named: "Book")!)
    request.predicate = try Predicate.parse("author.name == 'a7'")
    let advice = try store.plans.explain(request).advice
    #expect(
      try advice.map { try store.plans.statement(making: $0) } == [
        "CREATE INDEX author_name_index ON author (name)", "CREATE INDEX book_author_index ON book (author_id)",
      ])
  }
}
