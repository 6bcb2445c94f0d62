import Foundation
import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// Dates that files made elsewhere keep as text, or as seconds.
@Suite struct DateColumnsTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func open(_ sql: String, readsDateTexts: Bool? = nil, model: Model? = nil) throws -> SQLiteStore {
    var options = StoreOptions(path: try folder.database("\(UUID()).sqlite", sql))
    options.readsDateTexts = readsDateTexts
    options.model = model
    return try SQLiteStore(options)
  }

  private func column(_ declaration: String, _ values: String...) throws -> ColumnLayout {
    let rows = values.map { "INSERT INTO t VALUES (\($0));" }.joined()
    let store = try open("CREATE TABLE t(\(declaration));" + rows)
    return store.layout(of: store.model.entities[0]).columns[0]
  }

  private func sample(_ declaration: String, _ values: String...) throws -> String? {
    let rows = values.map { "INSERT INTO t VALUES (\($0));" }.joined()
    let store = try open("CREATE TABLE t(\(declaration));" + rows)
    guard case .dateText(let form) = store.layout(of: store.model.entities[0]).columns[0].encoding else { return nil }
    return form.sample
  }

  // MARK: Finding them

  @Test func aTextWithAZoneWhereTheOthersHaveADigitIsOfAnotherForm() throws {
    #expect(try sample("ordered DATETIME", "'2020-01-01 10:00:00.000'", "'2020-01-01 10:00:00.00Z'") == nil)
    #expect(try sample("ordered DATETIME", "'2020-01-01 10:00:00.000'", "'2020-01-01 10:00:0x.000'") == nil)
  }

  @Test func textsOfOneFormAreDates() throws {
    #expect(
      try sample("ordered DATETIME", "'2020-01-01 10:00:00'", "NULL", "'2021-01-01 10:00:00.5'")
        == "2024-03-01 12:30:00")
    #expect(try sample("ordered datetime(6)", "'2020-01-01 10:00:00.123456'") == "2024-03-01 12:30:00.000000")
    #expect(
      try sample("ordered TIMESTAMP WITH TIME ZONE", "'2020-01-01T10:00:00+00:00'") == "2024-03-01T12:30:00+00:00")
    #expect(try sample("d DATE", "'2020-01-01'") == "2024-03-01")
    #expect(try sample("d DATE", "'2020-01-01 00:00:00'") == "2024-03-01 12:30:00")
    for name in ["created_at", "createdAt", "date", "order_date", "updated", "published_on", "time_hour"] {
      #expect(try sample("\(name) TEXT", "'2020-01-01T10:00:00Z'") == "2024-03-01T12:30:00Z", "\(name)")
      #expect(try sample("\(name)", "'2020-01-01'") == "2024-03-01", "\(name)")
    }
  }

  @Test func whatIsNotCertainStaysText() throws {
    for (declaration, values) in [
      ("ordered DATETIME", ["'2020-01-01 10:00:00'", "'2020-01-01T10:00:00'"]),
      ("ordered DATETIME", ["'2020-01-01'", "'soon'"]),
      ("ordered DATETIME", ["'2020-01-01'", "x'00'"]), ("ordered DATETIME", ["'2020-01-01'", "5"]),
      ("ordered DATETIME", ["1700000000", "'2020-01-01'"]), ("ordered DATETIME", ["1700000000000"]),
      ("d DATE", ["20240301"]),
      ("ordered DATETIME", ["'2020-01-01 10:00+01:00'", "'2020-01-01 10:00+02:00'"]),
      ("ordered DATETIME", ["'2020-01-01'", "'2020-13-01'"]), ("ordered DATETIME", ["2460000.5"]),
      ("t TIME", ["'10:00:00'"]), ("name TEXT", ["'2020-01-01'"]),
      ("created_at TEXT", ["NULL"]), ("created_at INTEGER", ["1700000000"]), ("note BLOB", ["'2020-01-01'"]),
    ] {
      let rows = values.map { "INSERT INTO t VALUES (\($0));" }.joined()
      let store = try open("CREATE TABLE t(\(declaration));" + rows)
      #expect(store.model.entities[0].attributes[0].type != .date, "\(declaration): \(values)")
    }
  }

  @Test func anEmptyColumnIsWhatItsTypeSays() throws {
    #expect(try sample("d DATE") == "2024-03-01")
    #expect(try sample("d DATETIME", "NULL") == "2024-03-01 12:30:00")
    #expect(try sample("d timestamp") == "2024-03-01 12:30:00")
    #expect(try sample("created_at TEXT") == nil)
  }

  @Test func wholeNumbersOfADeclaredTimeAreSeconds() throws {
    let kept = try column("seen TIMESTAMP", "1700000000", "1600000000")
    #expect(kept.type == .date && kept.encoding == .plain && !kept.isExact)
    // Core Data's count from 2001.
    #expect(try column("ZSEEN TIMESTAMP", "700000000").type == .integer64)
  }

  @Test func keysStayAsTheyAre() throws {
    let store = try open(
      """
      CREATE TABLE day(date TEXT PRIMARY KEY, created_at TEXT);
      CREATE TABLE visit(id INTEGER PRIMARY KEY, date TEXT REFERENCES day);
      CREATE TABLE rate(date TEXT, code TEXT, value REAL, PRIMARY KEY (date, code)) WITHOUT ROWID;
      CREATE TABLE plain(date TEXT PRIMARY KEY, value REAL);
      INSERT INTO day VALUES ('2020-01-01', '2020-01-01'); INSERT INTO visit VALUES (1, '2020-01-01');
      INSERT INTO rate VALUES ('2020-01-01', 'EUR', 1); INSERT INTO plain VALUES ('2020-01-01', 1);
      """)
    func type(_ entity: String, _ name: String) -> AttributeType? {
      store.model.entity(named: entity)?.property(named: name)?.attribute?.type
    }
    #expect(type("Day", "date") == .string && type("Day", "created_at") == .date)
    #expect(type("Rate", "date") == .string && type("Plain", "date") == .date)
  }

  @Test func bothEndsOfATableAreLookedAtAndNotTheMiddle() throws {
    func count(_ row: Int) -> String {
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, d DATE);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
        INSERT INTO t SELECT i, date('2020-01-01', i || ' days') FROM n;
      UPDATE t SET d = 'never' WHERE id = \(row);
      """
    }
    for (row, isDate) in [(1, false), (100, true), (200, false)] {
      #expect((try open(count(row)).model.entities[0].attributes[1].type == .date) == isDate, "\(row)")
    }
  }

  @Test func longDataBeforeAColumnIsNotRead() throws {
    let store = try open(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, file BLOB, created_at DATETIME);
      INSERT INTO t VALUES (1, zeroblob(100000), 'never'), (2, NULL, '2020-01-01 00:00:00');
      """)
    #expect(store.model.entities[0].attributes[2].type == .date)
  }

  @Test func columnsOfViewsAreThoseOfTheirTables() throws {
    let store = try open(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, d DATETIME, name TEXT);
      INSERT INTO t VALUES (1, '2020-01-01 10:00:00', 'a'), (2, '2021-01-01 10:00:00', 'b');
      CREATE VIEW v AS SELECT name, d AS made, date(d) AS day, d || '' AS text FROM t;
      """)
    let view = try #require(store.model.entity(named: "V"))
    #expect(view.attributes.map { $0.type == .date } == [false, true, false, false])
    var request = FetchRequest(view)
    request.predicate = try Queries.Predicate.parse("year(made) == 2021")
    #expect(try store.count(request) == 1)
    request.resultType = .dictionaries
    let rows = try store.dictionaries(request)
    #expect(try rows.step())
    #expect(rows.value(1) == .date(Timestamp(1_609_495_200)) && rows.value(3) == .string("2021-01-01 10:00:00"))
  }

  @Test func whoWantsTheTextsGetsThem() throws {
    let store = try open("CREATE TABLE t(d DATE); INSERT INTO t VALUES ('2020-01-01')", readsDateTexts: false)
    #expect(store.model.entities[0].attributes[0].type == .string)
  }

  @Test func aModelSaysWhatAColumnIs() throws {
    let sql = "CREATE TABLE t(d DATE); INSERT INTO t VALUES ('2020-01-01')"
    for (type, encoding) in [(AttributeType.string, ColumnEncoding.plain), (.date, .dateText(.day))] {
      let model = try Model([EntityDescription("T", properties: [.attribute(Attribute("d", type))])])
      let store = try open(sql, model: model)
      #expect(store.layout(of: store.model.entities[0]).columns[0].encoding == encoding)
      #expect(try store.dictionaries(FetchRequest(store.model.entities[0])).columns == ["d"])
    }
  }

  // MARK: Reading and writing

  @Test func aNumberAmongTheTextsIsReadAsItsText() throws {
    // Only a column that keeps numbers is asked for them, row by row.
    #expect(!DeclaredType.makesTexts("CHARINT"))
    for (declaration, keepsNumbers) in [("TEXT", false), ("VARCHAR(30)", false), ("", true), ("DATETIME", true)] {
      let store = try open(
        """
        CREATE TABLE t(id INTEGER PRIMARY KEY, created_at \(declaration));
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
          INSERT INTO t SELECT i, date('2020-01-01', i || ' days') FROM n;
        UPDATE t SET created_at = 5 WHERE id = 50;
        """)
      let entity = store.model.entities[0]
      #expect(store.layout(of: entity).columns[1].hasTextAffinity == !keepsNumbers, "\(declaration)")
      let cursor = try store.rows(of: entity, keys: [50, 51])
      var read: [Value] = []
      while try cursor.step() {
        read.append(ValueCoding.decode(cursor.storageClass(1), integer: 0, real: 0, bytes: cursor.bytes(1), as: .date))
      }
      #expect(read == [.string("5"), .date(Timestamp(1_582_156_800 + 86_400))], "\(declaration)")
    }
  }

  private func texts(_ store: SQLiteStore) throws -> [String] {
    try store.connection.all("SELECT typeof(d) || ' ' || d FROM t ORDER BY rowid").map { $0[0].displayText }
  }

  @Test func datesAreWrittenInTheFormOfTheColumn() throws {
    for (text, written) in [
      ("2020-01-01 00:00:00", "2024-03-01 12:30:00"), ("2020-01-01T00:00:00.000Z", "2024-03-01T12:30:00.000Z"),
      ("2020-01-01 00:00:00+02:00", "2024-03-01 14:30:00+02:00"),
    ] {
      let store = try open("CREATE TABLE t(id INTEGER PRIMARY KEY, d DATETIME); INSERT INTO t VALUES (1, '\(text)')")
      let entity = store.model.entities[0]
      let noon = Value.date(Timestamp(1_709_296_200))
      let key = try store.insert(entity, [.null, noon], key: nil)
      #expect(try texts(store) == ["text \(text)", "text \(written)"])
      #expect(try store.update(entity, key: 1, [(column: 1, value: noon)]))
      #expect(try texts(store) == ["text \(written)", "text \(written)"])
      _ = try store.batchUpdate(FetchRequest(entity), [(property: 1, value: .date(Timestamp(0)))])
      let cursor = try store.cursor(FetchRequest(entity))
      while try cursor.step() {
        let date = ValueCoding.decode(cursor.storageClass(1), integer: 0, real: 0, bytes: cursor.bytes(1), as: .date)
        #expect(date == .date(Timestamp(0)) && key == 2)
      }
    }
  }

  @Test func aDateThatTheFormCannotHoldIsRefused() throws {
    let store = try open("CREATE TABLE t(id INTEGER PRIMARY KEY, d DATE); INSERT INTO t VALUES (1, '2020-01-01')")
    let entity = store.model.entities[0]
    let noon = Timestamp(1_709_296_200)
    let refused = StoreError(.unfitDate(entity: "T", property: "d", noon, sample: "2024-03-01"), path: store.path)
    #expect(throws: refused) { try store.insert(entity, [.null, .date(noon)], key: nil) }
    #expect(throws: refused) { try store.update(entity, key: 1, [(column: 1, value: .date(noon))]) }
    #expect(throws: refused) { try store.batchUpdate(FetchRequest(entity), [(property: 1, value: .date(noon))]) }
    #expect(try texts(store) == ["text 2020-01-01"])
  }

  @Test func defaultsAreTheStoresOrDates() throws {
    let store = try open(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, a DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP, b DATE NOT NULL DEFAULT '2000-01-01',
        c DATE NOT NULL DEFAULT 'never');
      """)
    let attributes = store.model.entities[0].attributes
    #expect(attributes.map(\.type) == [.integer64, .date, .date, .date])
    #expect(attributes.map(\.defaultValue) == [.null, .null, .date(Timestamp(946_684_800)), .null])
    try store.insert(store.model.entities[0], [.null, .null, attributes[2].defaultValue, .null], key: nil)
    #expect(try store.connection.first("SELECT a > '2020' AND b = '2000-01-01' AND c = 'never' FROM t") == .int(1))
  }

  @Test func theIndexOfTheColumnServes() throws {
    let store = try open(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, d DATETIME); CREATE INDEX i ON t(d); INSERT INTO t VALUES (1, '2020-01-01 00:00:00')"
    )
    for format in [
      #"d >= CAST("2020-01-01", "NSDate")"#, #"d < CAST("2020-01-01", "NSDate")"#,
      #"d == CAST("2020-01-01", "NSDate")"#,
      "year(d) == 2020", #"day(d) == "2020-01-01""#, #"month(d) >= "2020-01""#,
    ] {
      var request = FetchRequest(store.model.entities[0])
      request.predicate = try Queries.Predicate.parse(format)
      let sql = try store.statement(explaining: request).sql
      let plan = try store.connection.all("EXPLAIN QUERY PLAN " + sql.displayText).map { $0[3].displayText }
      #expect(plan.contains { $0.contains("INDEX i (d") }, "\(format): \(plan)")
      #expect(try store.count(request) == (format.contains("<") ? 0 : 1), "\(format)")
    }
  }
}
