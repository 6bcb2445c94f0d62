import Foundation
import Modeling
import PostgresStorage
import Queries
import Stores
import TestSupport
import Testing

/// Rows are found by keys and values of every type, however many there are at once.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct SoughtRowsTests {
  private let server: PostgresServer
  private let database: String
  init() throws {
    server = try PostgresServer.shared.get()
    database = try server.makeDatabase(for: "sought")
  }

  private func count(_ store: PostgresStore, _ name: String, _ predicate: Queries.Predicate) throws -> Int {
    var request = FetchRequest(store.model.entity(named: name)!)
    request.predicate = predicate
    return try store.count(request)
  }

  @Test(.timeLimit(.minutes(5))) func rowsWithTextsOrTwoColumnsAsKeysAreReadInAnyNumber() throws {
    let store = try server.open(
      database,
      after: """
        CREATE TABLE shelf (id int PRIMARY KEY);
        CREATE TABLE book (isbn text PRIMARY KEY, pages int);
        CREATE TABLE shelf_book (shelf_id int REFERENCES shelf, isbn text REFERENCES book, PRIMARY KEY (shelf_id, isbn));
        CREATE TABLE room (wing text, number int, shelf_id int REFERENCES shelf, size int, PRIMARY KEY (wing, number));
        INSERT INTO shelf SELECT generate_series(1, 2);
        INSERT INTO book SELECT 'b' || n, n % 500 FROM generate_series(1, 70000) AS n;
        INSERT INTO shelf_book SELECT 1 + n % 2, 'b' || n FROM generate_series(1, 70000) AS n;
        INSERT INTO room SELECT 'w' || n % 3, n, 1 + n % 2, n % 90 FROM generate_series(1, 70000) AS n;
        """)
    // Odd numbers are on the second shelf.
    for (format, expected) in [
      ("books.@max.pages == 499", 1), ("books.@max.pages >= 498", 2), ("ANY books.isbn MATCHES 'b6999.'", 2),
      ("ANY books.isbn MATCHES 'b69999'", 1), ("rooms.@max.size == 89", 1),
    ] {
      #expect(try count(store, "Shelf", try Queries.Predicate.parse(format)) == expected, "\(format)")
    }
    #expect(try store.batchDelete(FetchRequest(store.model.entity(named: "Room")!)) == 70_000)
  }

  /// Types, and three values of each.
  private static let types: [(name: String, values: [String])] = [
    ("int", ["1", "2", "-3"]), ("numeric(12, 2)", ["1.50", "20", "-3.25"]),
    ("double precision", ["0.1", "1e300", "-2"]), ("real", ["0.1", "2", "-3"]), ("boolean", ["true", "false"]),
    ("text", ["'a'", "'é'", "''"]), ("text COLLATE \"C\"", ["'a'", "'é'", "''"]),
    ("char(4)", ["'ab'", "'c'", "'abcd'"]),
    ("name", ["'a'", "'b'", "'c'"]), ("mood", ["'sad'", "'ok'", "'so so'"]), ("email", ["'a@b'", "'c@d'", "'e@'"]),
    ("bytea", ["'\\x00'", "'\\xff'", "''"]), ("date", ["'2024-02-29'", "'1999-01-01'", "'1066-10-14'"]),
    ("timestamp", ["'2024-01-02 03:04:05.123456'", "'1999-01-01'", "'1969-12-31 23:59:59.9'"]),
    ("timestamptz", ["'2024-01-02 03:04:05.123456Z'", "'1999-01-01Z'", "'1969-12-31 23:59:59.9Z'"]),
    ("uuid", (1...3).map { "'00000000-0000-4000-8000-00000000000\($0)'" }),
    ("inet", ["'10.0.0.1'", "'::1'", "'10.0.0.0/8'"]), ("int[]", ["'{1,2}'", "'{}'", "'{3}'"]),
    ("jsonb", ["'{\"a\": 1}'", "'[1]'", "'true'"]), ("interval", ["'1 day'", "'2 months'", "'3 s'"]),
  ]

  @Test func aKeyOfEachTypeIsFoundAloneAndAmongOthers() throws {
    var sql = "CREATE TYPE mood AS ENUM ('sad', 'ok', 'so so'); CREATE DOMAIN email AS text CHECK (value LIKE '%@%');"
    for (number, type) in Self.types.enumerated() {
      let values = type.values.map { "(\($0)::\(type.name))" }.joined(separator: ", ")
      sql += """
        CREATE TABLE alone\(number) (k \(type.name) PRIMARY KEY);
        INSERT INTO alone\(number) VALUES \(values);
        CREATE TABLE pair\(number) (k \(type.name), n int, PRIMARY KEY (k, n));
        INSERT INTO pair\(number) SELECT k, n FROM alone\(number), generate_series(1, 2) AS n;
        CREATE TABLE loose\(number) (k \(type.name), n int);
        INSERT INTO loose\(number) SELECT k, NULL FROM alone\(number);
        INSERT INTO loose\(number) SELECT k, 1 FROM alone\(number);
        INSERT INTO loose\(number) VALUES (NULL, 2), (NULL, NULL);
        """
    }
    sql +=
      "CREATE TABLE loose99 (k json, n int); INSERT INTO loose99 VALUES ('{\"a\": 1}', 1), ('[2]', NULL), (NULL, NULL);"
    let store = try server.open(database, after: sql)
    #expect(store.model.entities.count == Self.types.count * 3 + 1)
    for entity in store.model.entities {
      let keys = try store.keys(FetchRequest(entity))
      #expect(keys.count == (try store.count(FetchRequest(entity))) && keys.count >= 2)
      func found(_ keys: [Int64]) throws -> Set<Int64> {
        let cursor = try store.rows(of: entity, keys: keys)
        var found: Set<Int64> = []
        while try cursor.step() { found.insert(cursor.key) }
        return found
      }
      #expect(try found(keys) == Set(keys), "\(entity.name)")
      for key in keys { #expect(try found([key]) == [key], "\(entity.name) \(store.keyValues(of: entity, key: key))") }
    }
  }

  @Test(.timeLimit(.minutes(5))) func aListHasAnyNumberOfValues() throws {
    let store = try server.open(
      database,
      after: """
        CREATE TABLE book (isbn text PRIMARY KEY);
        CREATE TABLE loan (id int PRIMARY KEY, weight double precision, code uuid, day timestamptz, book text REFERENCES book);
        INSERT INTO book SELECT 'b' || n FROM generate_series(1, 70000) AS n;
        INSERT INTO loan SELECT n, n / 2.0, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
          to_timestamp(n), 'b' || n FROM generate_series(1, 3) AS n;
        INSERT INTO loan VALUES (4, 'NaN', NULL, NULL, NULL), (5, -1, gen_random_uuid(), to_timestamp(-1), 'b70000');
        """)
    let book = store.model.entity(named: "Book")!
    let keys = try store.keys(FetchRequest(book)).filter { store.keyValues(of: book, key: $0) != [.string("b70000")] }
    let code = { (number: Int) in UUID(uuidString: "00000000-0000-4000-8000-\(String(format: "%012d", number))")! }
    for (name, values) in [
      ("weight", (1..<70_000).map { Value.double(Double($0) / 2) }),
      ("code", (1..<70_000).map { Value.uuid(code($0)) }),
      ("day", (1..<70_000).map { Value.date(Timestamp(Double($0))) }),
      ("book", keys.map { Value.object(ObjectID(entity: book, key: $0)) }),
    ] {
      let isIn = Queries.Predicate.comparison(
        Comparison(.path(PropertyPath([name])), .in, .constant(.list(values))))
      #expect(try count(store, "Loan", isIn) == 3, "\(name)")
      // What is nothing is in no list, and not in none.
      #expect(try count(store, "Loan", .not(isIn)) == 1, "\(name)")
    }
  }
}
