import Foundation
import Postgres
import StoreErrors
import TestSupport
import Testing

/// What is decoded here from the binary form is what the server itself writes as text.
@Suite(.enabled(if: PostgresServer.isInstalled, "there is no PostgreSQL server on this system"))
struct PostgresFieldTests {
  /// Literals by type: the same value is asked for in both forms.
  static let literals: [(type: String, literals: [String])] = [
    ("bool", ["true", "false"]), ("int2", ["-32768", "32767", "0"]), ("int4", ["-2147483648", "2147483647"]),
    ("int8", ["-9223372036854775808", "9223372036854775807"]), ("oid", ["4294967295", "0"]),
    (
      "numeric",
      [
        "0", "0.00", "-0", "1", "-12.50", "10000", "0.0001", "0.00010000", "NaN", "Infinity", "-Infinity", "1e100",
        "1e-100", "123456789012345678901234567890.123456789", "99999999", "100000000.00000001", "-0.5", "4000.0004",
        String(repeating: "1234567890", count: 10), "0." + String(repeating: "0987654321", count: 10),
      ]
    ),
    (
      "date",
      [
        "2000-01-01", "1999-12-31", "4713-01-01 BC", "0001-12-31 BC", "0001-01-01", "5874897-12-31", "infinity",
        "-infinity", "2024-02-29", "1582-10-15", "0044-03-15 BC",
      ]
    ),
    (
      "timestamp",
      [
        "2000-01-01 00:00:00", "1999-12-31 23:59:59.999999", "4713-01-01 00:00:00 BC", "infinity", "-infinity",
        "294276-12-31 23:59:59.999999", "0001-01-01 12:00:00.5", "0001-12-31 00:00:00.000001 BC",
      ]
    ),
    ("timestamptz", ["2026-11-24 23:55:00+01", "1883-11-18 12:03:58-04:56", "4713-01-01 00:00:00+00 BC", "infinity"]),
    ("time", ["00:00:00", "23:59:59.999999", "24:00:00", "12:30:00.5"]),
    ("timetz", ["12:00:00+00", "12:00:00.25-08", "12:00:00+05:30", "12:00:00+01:02:03"]),
    (
      "interval",
      [
        "0", "1 year 2 months -3 days 04:05:06.789", "-1 year", "-00:00:01.5", "1 mon", "-14 mons 1 day",
        "1000000 hours", "-100 days +23:59:59",
      ]
    ),
    ("uuid", ["00112233-4455-6677-8899-aabbccddeeff", "ffffffff-ffff-ffff-ffff-ffffffffffff"]),
    ("json", [#"{"a" : [1, null]}"#, "3"]), ("jsonb", [#"{"b": 1, "a": [1, null, "ä"]}"#, "null", #""x""#]),
    ("bytea", [#"\x"#, #"\x00ff10"#]), ("text", ["", "ä€😀", "a b\n\t\"'\\"]), ("varchar(10)", ["abc"]),
    ("bpchar", ["abc  "]), ("name", ["abc"]), ("\"char\"", ["x"]), ("xml", ["<a>ä</a>"]),
    ("int4[]", ["{}", "{1,NULL,-3}", "{{1,2},{3,4}}", "{{{1},{2}}}"]), ("int8[]", ["{9223372036854775807}"]),
    ("text[]", [#"{a,NULL,"null","","a b","\"\\",",","{}",ä}"#, "{{a,b},{c,NULL}}"]), ("bool[]", ["{t,f,NULL}"]),
    ("numeric[]", ["{1.50,NaN,NULL}"]), ("date[]", ["{2000-01-01,infinity}"]),
    ("uuid[]", ["{00112233-4455-6677-8899-aabbccddeeff}"]),
    ("jsonb[]", [#"{"{\"a\": 1}"}"#]), ("interval[]", [#"{"1 day"}"#]), ("timestamp[]", [#"{"2000-01-01 00:00:00"}"#]),
    ("bytea[]", [#"{"\\x00ff"}"#]), ("mood", ["happy"]),
  ]

  private static let database = Result {
    let database = try TestDatabase("literals")
    try database.connect().script("CREATE TYPE mood AS ENUM ('sad', 'happy')")
    return database
  }

  @Test(arguments: literals.map(\.type)) func theTextIsTheServersOwn(type: String) throws {
    let connection = try Self.database.get().connect()
    try connection.script("SET TimeZone = 'UTC'; SET xmloption = content")
    let entry = try #require(Self.literals.first { $0.type == type })
    for literal in entry.literals {
      let sql = "SELECT '\(literal.replacing("'", with: "''"))'::\(type)"
      let written = try connection.run(sql, format: .text).text(0, 0)
      let read = try connection.run(sql)
      #expect(read.text(0, 0) == written, "\(sql)")
    }
    #expect(try connection.run("SELECT NULL::\(type)").field(0, 0) == nil)
  }

  @Test func numbersAreThoseThatTheServerKeeps() throws {
    let connection = try TestDatabase().connect()
    let literals = ["0", "-0", "1.5", "1e300", "-1e-300", "NaN", "Infinity", "-Infinity", "0.1", "5e-324"]
    for literal in literals {
      let result = try connection.run("SELECT '\(literal)'::float8, '\(literal == "NaN" ? "NaN" : "1.25")'::float4")
      let expected = try #require(Double(literal.lowercased()))
      #expect(result.double(0, 0).bitPattern == expected.bitPattern || expected.isNaN && result.double(0, 0).isNaN)
      #expect(literal == "NaN" ? result.double(0, 1).isNaN : result.double(0, 1) == 1.25)
      // Read back by the server as the same number.
      #expect(
        try connection.run("SELECT $1::float8 = $2", [.untyped(result.text(0, 0)), .double(expected)]).bool(0, 0))
    }
    #expect(try connection.run("SELECT 12.5::numeric, 3::int2").double(0, 0) == 12.5)
  }

  @Test func whatIsNoNumberIsNotTakenForOne() throws {
    let connection = try TestDatabase().connect()
    let result = try connection.run("SELECT 0.00, 1.5::float8, 'ab'::text, now(), true, 7::int2, 'pg_class'::regclass")
    for column in [0, 1, 2, 3, 4] { #expect(result.field(0, column)?.int == nil && result.int(0, column) == 0) }
    for column in [2, 3, 4] { #expect(result.field(0, column)?.double == nil && result.double(0, column) == 0) }
    #expect(result.field(0, 5)?.bool == nil && result.int(0, 5) == 7 && result.int(0, 6) == 1259)
    #expect(result.text(0, 6) == "1259" && result.int(0, 9) == 0 && result.int(1, 0) == 0 && result.isNull(-1, 0))
  }

  @Test func pointsInTimeAreCountedFrom2000() throws {
    let connection = try TestDatabase().connect()
    let result = try connection.run(
      "SELECT '2000-01-01 00:00:01+00'::timestamptz, '1999-12-31'::date, '00:00:01'::time, '-infinity'::timestamptz")
    #expect(result.field(0, 0)?.microsecondsSince2000 == 1_000_000 && result.field(0, 1)?.daysSince2000 == -1)
    #expect(result.field(0, 2)?.microsecondsOfDay == 1_000_000 && result.field(0, 3)?.microsecondsSince2000 == .min)
    #expect(result.field(0, 0)?.daysSince2000 == nil && result.field(0, 1)?.microsecondsSince2000 == nil)
  }

  @Test func argumentsAreWhatTheServerReads() throws {
    let connection = try TestDatabase().connect()
    try connection.script("SET TimeZone = 'UTC'")
    let digits = String(repeating: "9876543210", count: 10)
    let cases: [(PostgresArgument, String, String)] = [
      (.bool(true), "boolean", "true"), (.int(.min), "bigint", "-9223372036854775808"),
      (.double(0.1), "double precision", "0.1"),
      (.double(.nan), "double precision", "NaN"), (.double(-.infinity), "double precision", "-Infinity"),
      (.numeric("-12.50"), "numeric", "-12.50"), (.numeric(digits + "." + digits), "numeric", digits + "." + digits),
      (.numeric("1e100"), "numeric", "1" + String(repeating: "0", count: 100)),
      (.numeric("-1.5e-3"), "numeric", "-0.0015"),
      (.numeric("NaN"), "numeric", "NaN"), (.numeric("-Infinity"), "numeric", "-Infinity"),
      (.numeric("-0.00"), "numeric", "0.00"),
      (.numeric("+000120.0"), "numeric", "120.0"), (.numeric(".5"), "numeric", "0.5"),
      (.numeric("10000"), "numeric", "10000"),
      (.text("ä'\\"), "text", "ä'\\"), (.text(""), "text", ""), (.bytes([0, 255]), "bytea", "\\x00ff"),
      (.bytes([]), "bytea", "\\x"),
      (.timestamp(microsecondsSince2000: -1), "timestamp with time zone", "1999-12-31 23:59:59.999999+00"),
      (.timestamp(microsecondsSince2000: .max), "timestamp with time zone", "infinity"),
      (.date(daysSince2000: -1), "date", "1999-12-31"),
      (.time(microseconds: 1), "time without time zone", "00:00:00.000001"),
      (.uuid(Array(0..<16)), "uuid", "00010203-0405-0607-0809-0a0b0c0d0e0f"), (.json("{ }"), "json", "{ }"),
      (.jsonb("{\"a\":1}"), "jsonb", "{\"a\": 1}"),
      (.ints([]), "bigint[]", "{}"), (.ints([1, .max]), "bigint[]", "{1,9223372036854775807}"),
      (.doubles([0.5, .nan]), "double precision[]", "{0.5,NaN}"),
      (.texts(["a", nil, "", "NULL"]), "text[]", "{a,NULL,\"\",\"NULL\"}"),
      (
        .array([.bool(true), .null], type: PostgresType.boolArray, elements: PostgresType.bool), "boolean[]", "{t,NULL}"
      ),
      (
        .array([.numeric("1.5")], type: PostgresType.numericArray, elements: PostgresType.numeric), "numeric[]", "{1.5}"
      ),
    ]
    for (argument, type, text) in cases {
      let result = try connection.run("SELECT pg_typeof($1)::text, $1::text", [argument])
      #expect(result.text(0, 0) == type && result.text(0, 1) == text, "\(argument)")
    }
    #expect(try connection.run("SELECT 1 + $1", [.untyped("41")]).int(0, 0) == 42)
    #expect(try connection.run("SELECT $1::int4 IS NULL", [.null]).bool(0, 0))
    #expect(
      try connection.run("SELECT sum(x)::int8 FROM unnest($1) x", [.ints(Array(1...100_000))]).int(0, 0)
        == 5_000_050_000)
  }

  @Test(arguments: [
    "", "-", ".", "1.2.3", "1e", "0x10", "12a", "1e1000000", "1e-20000", " 1", "1e99999999999999999999",
  ])
  func whatIsNoNumberIsRefusedBeforeItIsSent(text: String) throws {
    let connection = try TestDatabase().connect()
    let error = #expect(throws: StoreError.self) { try connection.run("SELECT $1", [.numeric(text)]) }
    #expect(error?.fact == .wrongNumber(text))
  }

  @Test(.seeded) func generatedNumericsSurviveTheRoundTrip() throws {
    let connection = try TestDatabase().connect()
    var random = SplitMix(seed: 11)
    for _ in 0..<Effort.rounds(200) {
      func digits(_ most: Int) -> String {
        (0..<random.below(most)).map { _ in random.chance(oneIn: 2) ? "0" : "\(random.below(10))" }.joined()
      }
      let text = (random.chance(oneIn: 2) ? "-" : "") + "1" + digits(60) + "." + digits(60) + "7"
      let result = try connection.run("SELECT $1, $2::numeric", [.numeric(text), .untyped(text)])
      #expect(result.text(0, 0) == text && result.text(0, 1) == text)
    }
  }

  @Test func aLargeTextIsWhole() throws {
    let connection = try TestDatabase().connect()
    let text = String(repeating: "Erdbeben in Chile €😀\n", count: 400_000)
    #expect(try connection.run("SELECT $1", [.text(text)]).text(0, 0) == text)
    #expect(
      try connection.run("SELECT length($1::text)", [.untyped(text)]).int(0, 0) == Int64(text.unicodeScalars.count))
  }
}
