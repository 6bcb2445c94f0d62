import Foundation
import Modeling
import Postgres
import Queries
import Stores
import TestSupport
import Testing

@testable import PostgresStorage

/// A database's tables as SQL, in the server's words.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct PostgresSchemaTests {
  private let server: PostgresServer
  private let database: String

  init() throws {
    server = try PostgresServer.shared.get()
    database = try server.makeDatabase(for: "schema")
  }

  private static let zoo = #"""
    CREATE TYPE mood AS ENUM ('sad', 'it''s ok'); CREATE DOMAIN email AS text CHECK (value LIKE '%@%');
    CREATE TYPE size AS (width int, height numeric);
    CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 2 * n';
    CREATE TABLE animal (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "Name" varchar(20) NOT NULL UNIQUE,
      mood mood DEFAULT 'sad', mail email, size size, legs int DEFAULT twice(2), weight double precision,
      price numeric(12, 2), born date, seen timestamptz, rest interval, tags text[], data jsonb, photo bytea,
      alive boolean, label text COLLATE "C", legs2 int GENERATED ALWAYS AS (legs * 2) STORED, CHECK (legs >= 0));
    CREATE TABLE keeper (id serial PRIMARY KEY, animal_id bigint REFERENCES animal ON DELETE CASCADE, "order" int)
      WITH (fillfactor = 70);
    CREATE INDEX keeper_order ON keeper ("order" DESC) WHERE "order" > 0;
    CREATE VIEW heavy AS SELECT id, "Name" FROM animal WHERE weight > 100;
    CREATE MATERIALIZED VIEW counted AS SELECT count(*) AS n FROM animal;
    CREATE FUNCTION named(a animal) RETURNS text LANGUAGE sql AS 'SELECT a."Name"::text';
    CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.label := ''noted''; RETURN NEW; END';
    CREATE TABLE day (at date NOT NULL, n int) PARTITION BY RANGE (at);
    CREATE TABLE day_2024 PARTITION OF day FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
    CREATE INDEX day_n ON day (n);
    CREATE TABLE small (CHECK (legs < 3)) INHERITS (animal);
    CREATE SCHEMA "Old"; CREATE TABLE "Old".animal (id int PRIMARY KEY); INSERT INTO "Old".animal VALUES (7);
    INSERT INTO animal ("Name", mail, size, weight, price, born, seen, rest, tags, data, photo, alive) VALUES
      ('it''s \ Ann', 'a@b', '(1,2.5)', 120.5, 12.50, '2024-02-29', '2024-01-02 03:04:05.123456Z', '1 day 2 hours',
       '{a,"b c"}', '{"a": [1.50]}', '\x00ff', true), ('Bob', NULL, NULL, 'NaN', NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       false), (E'esc\u001b[31m\\', NULL, NULL, '-Infinity', -3, 'infinity', NULL, NULL, NULL, NULL, NULL, NULL);
    INSERT INTO keeper (animal_id, "order") SELECT 1, i FROM generate_series(1, 1200) i;
    INSERT INTO day VALUES ('2024-05-05', 1); INSERT INTO small (id, "Name", legs) VALUES (9, 'ant', 2);
    REFRESH MATERIALIZED VIEW counted;
    CREATE TRIGGER noting BEFORE INSERT ON animal FOR EACH ROW EXECUTE FUNCTION noted();
    """#

  /// What distinguishes two databases: all rows of all tables, and what the server says of their parts.
  private func contents(_ database: String) throws -> String {
    try server.psql(
      database,
      """
      SELECT a FROM animal a ORDER BY id; SELECT * FROM ONLY small; SELECT sum("order"), count(*) FROM keeper; TABLE day;
      TABLE heavy; TABLE counted; TABLE "Old".animal; SELECT named(a) FROM animal a ORDER BY id;
      SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid <> 0
        AND connamespace::regnamespace::text !~ '^(pg_|inf)' ORDER BY 1, 2;
      SELECT indexdef FROM pg_indexes WHERE schemaname !~ '^pg_' ORDER BY 1; SELECT tgname FROM pg_trigger
        WHERE NOT tgisinternal;
      SELECT attrelid::regclass, attname, atttypid::regtype, attnotnull, attidentity, attgenerated FROM pg_attribute
        WHERE attnum > 0 AND attrelid IN ('animal'::regclass, 'keeper'::regclass, 'small'::regclass) ORDER BY 1, attname;
      INSERT INTO keeper ("order") VALUES (1) RETURNING id;
      INSERT INTO animal ("Name") VALUES ('next') RETURNING id, label, legs2, mood
      """)
  }

  private func dump(_ store: PostgresStore, _ pattern: String? = nil) throws -> String {
    var lines: [String] = []
    try store.dump(tablesLike: pattern) { lines.append($0) }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test func aDumpMakesTheDatabaseAgain() throws {
    let store = try server.open(database, after: Self.zoo)
    let text = try dump(store)
    store.close()
    #expect(!text.unicodeScalars.contains("\u{1B}"))
    let again = try server.makeDatabase(for: "again")
    try server.psql(again, text)
    let made = try contents(again)
    #expect(made == (try contents(database)) && made.contains("it's \\ Ann"), "\(made)")
  }

  @Test func aDumpOfAStoreOfOursOpensAsOne() throws {
    let model = try Model([EntityDescription("Quake", properties: [.attribute(Attribute("place", .string))])])
    let store = try server.open(database) { ($0.model, $0.create, $0.history) = (model, true, true) }
    _ = try store.insert(store.model.entity(named: "Quake")!, [.string("Chile")])
    let text = try dump(store)
    let again = try server.makeDatabase(for: "again")
    try server.psql(again, text)
    let copy = try server.open(again)
    #expect(copy.kind == .perilune && copy.isHistoryEnabled)
    #expect(try copy.sql("SELECT place FROM quake").rows() == [[.string("Chile")]])
    _ = try copy.insert(copy.model.entity(named: "Quake")!, [.string("Peru")])
    #expect(try dump(copy).contains("Peru") && copy.count(FetchRequest(copy.model.entities[0])) == 2)
  }

  @Test func aPatternChoosesTables() throws {
    let store = try server.open(database, after: Self.zoo)
    let text = try dump(store, "keep%")
    #expect(text.contains("CREATE TABLE keeper (") && text.contains("INSERT INTO keeper"))
    #expect(text.contains("CREATE INDEX keeper_order") && text.contains("REFERENCES animal"))
    #expect(text.contains("CREATE SEQUENCE keeper_id_seq") && text.contains("setval('keeper_id_seq', 1200)"))
    #expect(!text.contains("INTO animal") && !text.contains("CREATE TYPE") && !text.contains("VIEW"))
    #expect(try dump(store, "none").split(separator: "\n").count == 4)
  }

  @Test func theSchemaIsWhatMakesTheTables() throws {
    let store = try server.open(database, after: Self.zoo)
    let statements = try store.schemaStatements(of: nil)
    #expect(statements.contains { $0.hasPrefix("CREATE TABLE animal (\n  id bigint GENERATED ALWAYS AS IDENTITY") })
    #expect(statements.contains("CREATE TYPE mood AS ENUM ('sad', 'it''s ok')"))
    #expect(statements.contains("CREATE TABLE day (\n  at date NOT NULL,\n  n integer\n) PARTITION BY RANGE (at)"))
    #expect(!statements.contains { $0.contains("INSERT INTO") || $0.hasSuffix(";") })
    let one = try store.schemaStatements(of: "keeper")
    #expect(one.allSatisfy { $0.contains("keeper") } && one.count == 5, "\(one)")
    #expect(try store.schemaStatements(of: "Old.animal").first?.hasPrefix("CREATE TABLE \"Old\".animal (") == true)
  }

  @Test func namesAreListed() throws {
    let store = try server.open(database, after: Self.zoo)
    #expect(
      try store.tableNames(like: nil) == ["animal", "animal", "counted", "day", "heavy", "keeper", "small"])
    #expect(try store.tableNames(like: "k%") == ["keeper"])
    #expect(try store.indexNames(ofTablesLike: "keeper") == ["keeper_order", "keeper_pkey"])
  }

  @Test func aReadOnlyStoreIsDumpedAndADryRunWithItsChanges() throws {
    let store = try server.open(database, after: "CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)") {
      $0.isReadOnly = true
    }
    #expect(try dump(store).contains("INSERT INTO t (id) VALUES (1);"))
    let other = try server.open(database)
    try other.beginDryRun()
    try other.sql("INSERT INTO t VALUES (2)")
    #expect(try dump(other).contains("VALUES (2);") && !dump(store).contains("VALUES (2);"))
    #expect(try other.sql("SELECT count(*) FROM t").rows() == [[.int(2)]])
  }

  @Test func theSandboxRefusesIt() throws {
    let store = try server.open(database, after: "CREATE TABLE t (id int PRIMARY KEY)") { $0.isConfined = true }
    let refusals: [() throws -> Void] = [
      { _ = try store.tableNames(like: nil) }, { _ = try store.indexNames(ofTablesLike: nil) },
      { _ = try store.schemaStatements(of: nil) }, { try store.dump(tablesLike: nil) { _ in } },
    ]
    for refused in refusals {
      #expect { try refused() } throws: { ($0 as? StoreError)?.fact == .refusedBySandbox(.server) }
    }
    #expect(store.databaseSchema().tables.isEmpty)
  }

  @Test func whatRowSecurityHidesIsSaid() throws {
    try server.psql(
      database,
      """
      CREATE TABLE t (id int PRIMARY KEY); ALTER TABLE t ENABLE ROW LEVEL SECURITY; GRANT ALL ON t TO locked
      """)
    let address = server.networkAddress(
      of: database, user: PostgresServer.lockedUser,
      password: PostgresServer.password)
    let store = try PostgresStore(PostgresOptions(try PostgresAddress(address)))
    #expect(try dump(store).contains("-- row security limits the rows of t that this user sees\n"))
  }

  @Test(arguments: [
    ("5", true, "5"), ("-1.5e+20", true, "-1.5e+20"), ("NaN", true, "'NaN'"), ("-Infinity", true, "'-Infinity'"),
    ("true", true, "true"), ("5", false, "'5'"), ("it's\n\\", false, "'it''s\n\\'"),
    ("\u{1B}'\\", false, #"E'\u001b''\\'"#), ("\u{202E}x", false, #"E'\u202ex'"#),
  ])
  func constantsAreReadAsTheyWere(text: String, isBare: Bool, constant: String) {
    #expect(PostgresDump.literal(text, isBare: isBare) == constant)
  }

  @Test func namesAreQuotedWhereTheServerWouldReadThemOtherwise() {
    let names = ["place", "occurredAt", "order", "a b", "it\"s", "1st", "x2"].map(SQLDialect.postgres.quote)
    #expect(names == ["place", "\"occurredAt\"", "\"order\"", "\"a b\"", "\"it\"\"s\"", "\"1st\"", "x2"])
  }
}

extension ValueCursor {
  /// The rest of the rows.
  fileprivate func rows() throws -> [[Value]] {
    var rows: [[Value]] = []
    while try step() { rows.append(columns.indices.map(value)) }
    return rows
  }
}
