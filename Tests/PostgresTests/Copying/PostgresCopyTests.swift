import Postgres
import StoreErrors
import TestSupport
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "there is no PostgreSQL server on this system"))
struct PostgresCopyTests {
  static let copyIn = "COPY t (a, b, c, d) FROM STDIN (FORMAT binary)"
  struct Stop: Error {}

  private func connect(_ test: String = #function) throws -> PostgresConnection {
    let connection = try TestDatabase(test).connect()
    try connection.run("CREATE TABLE t (a int8, b text, c float8, d int2)")
    return connection
  }

  private func write(_ count: Int, _ rows: inout PostgresCopyWriter) throws {
    for number in 0..<count {
      try rows.beginRow(4)
      try rows.int8(Int64(number))
      if number.isMultiple(of: 3) { try rows.null() } else { try rows.text("row \(number)") }
      try rows.float8(Double(number) / 2)
      try rows.int2(Int64(number % 100))
    }
  }

  @Test func whatIsCopiedInIsCopiedOut() throws {
    let connection = try connect()
    #expect(try connection.copyIn(Self.copyIn) { try write(100_000, &$0) } == 100_000)
    let rows = try connection.copyOut("COPY (SELECT * FROM t ORDER BY a) TO STDOUT (FORMAT binary)")
    var number: Int64 = 0
    while try rows.step() {
      let text = number.isMultiple(of: 3) ? "" : "row \(number)"
      guard
        rows.columnCount == 4, rows.int(0) == number, rows.isNull(1) == text.isEmpty, rows.text(1) == text,
        rows.double(2) == Double(number) / 2, rows.int(3) == number % 100
      else { return #expect(Bool(false), "row \(number)") }
      number += 1
    }
    #expect(number == 100_000 && !connection.isBusy)
    #expect(try !rows.step() && connection.run("SELECT 1").int(0, 0) == 1)
  }

  @Test func nothingStaysOfACopyThatTheWriterGaveUp() throws {
    let connection = try connect()
    for count in [0, 1, 50_000] {
      #expect(throws: Stop.self) {
        try connection.copyIn(Self.copyIn) { rows in
          try write(count, &rows)
          throw Stop()
        }
      }
      #expect(try connection.run("SELECT count(*) FROM t").int(0, 0) == 0)
    }
    // In the middle of a row.
    #expect(throws: StoreError.self) {
      try connection.copyIn(Self.copyIn) { rows in
        try rows.beginRow(4)
        try rows.int8(1)
      }
    }
    #expect(throws: StoreError.self) {
      try connection.copyIn(Self.copyIn) { rows in
        try rows.beginRow(0)
        try rows.int8(1)
      }
    }
    #expect(try connection.run("SELECT count(*) FROM t").int(0, 0) == 0)
  }

  @Test func aRowThatTheServerRefusesIsToldWithItsPlace() throws {
    let connection = try connect()
    let error = #expect(throws: StoreError.self) {
      try connection.copyIn(Self.copyIn) { rows in
        try write(10, &rows)
        try rows.beginRow(4)
        for _ in 0..<4 { try rows.int4(7) }
      }
    }
    guard case .server(let server) = error?.fact else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(server.context?.contains("line 11") == true)
    let large = #expect(throws: StoreError.self) {
      try connection.copyIn(Self.copyIn) { rows in
        try rows.beginRow(4)
        try rows.int2(40_000)
      }
    }
    #expect(large?.fact == .numberTooLarge(40_000, bits: 16))
    #expect(try connection.run("SELECT count(*) FROM t").int(0, 0) == 0)
  }

  @Test func rowsThatAreLeftInTheMiddleFreeTheConnection() throws {
    let connection = try connect()
    let sql = "COPY (SELECT n, repeat('x', 100) FROM generate_series(1, 1000000) n) TO STDOUT (FORMAT binary)"
    let rows = try connection.copyOut(sql)
    for _ in 0..<10 { #expect(try rows.step()) }
    rows.close()
    #expect(try connection.run("SELECT 1").int(0, 0) == 1)
    _ = try connection.copyOut(sql).step()
    #expect(try connection.run("SELECT 2").int(0, 0) == 2)
  }

  @Test func aFailureAmongTheRowsIsToldAfterThem() throws {
    let connection = try connect()
    let sql = "COPY (SELECT 10 / (5 - n) FROM generate_series(1, 9) n) TO STDOUT (FORMAT binary)"
    let rows = try connection.copyOut(sql)
    var count = 0
    let error = #expect(throws: StoreError.self) { while try rows.step() { count += 1 } }
    guard case .server(let server) = error?.fact else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(server.sqlState == "22012" && count == 4)
    for sql in ["COPY nothing TO STDOUT", "SELECT 1", "CREATE TABLE u (a int)"] {
      #expect(throws: StoreError.self) { try connection.copyOut(sql) }
      #expect(throws: StoreError.self) { try connection.copyIn(sql) { _ in } }
    }
    #expect(try connection.run("SELECT 1").int(0, 0) == 1)
  }

  @Test func rowsInTextFormAreNotTakenForBinaryOnes() throws {
    let connection = try connect()
    try connection.copyIn(Self.copyIn) { try write(10, &$0) }
    let rows = try connection.copyOut("COPY t TO STDOUT")
    #expect(throws: StoreError.self) { while try rows.step() {} }
    #expect(try connection.run("SELECT 1").int(0, 0) == 1)
  }

  @Test func fieldsMayBeLargerThanAPiece() throws {
    let connection = try connect()
    let text = String(repeating: "ab", count: 1_000_000)
    try connection.copyIn("COPY t (b) FROM STDIN (FORMAT binary)") { rows in
      for _ in 0..<3 {
        try rows.beginRow(1)
        try rows.text(text)
      }
    }
    let rows = try connection.copyOut("COPY (SELECT b FROM t) TO STDOUT (FORMAT binary)")
    while try rows.step() { #expect(rows.text(0) == text) }
  }

  @Test func valuesAreWrittenInTheFormOfTheirColumns() throws {
    let connection = try TestDatabase().connect()
    try connection.script("SET TimeZone = 'UTC'; CREATE TYPE mood AS ENUM ('happy')")
    let microseconds: Int64 = -1
    let cases: [(PostgresArgument, String, UInt32, String)] = [
      (.int(7), "int2", PostgresType.int2, "7"), (.int(-7), "int4", PostgresType.int4, "-7"),
      (.int(.max), "int8", PostgresType.int8, "9223372036854775807"),
      (.int(7), "float8", PostgresType.float8, "7"), (.int(7), "float4", PostgresType.float4, "7"),
      (.int(-7), "numeric", PostgresType.numeric, "-7"),
      (.double(0.5), "float4", PostgresType.float4, "0.5"), (.double(0.1), "numeric", PostgresType.numeric, "0.1"),
      (.double(1e300), "numeric", PostgresType.numeric, "1" + String(repeating: "0", count: 300)),
      (.double(-.infinity), "numeric", PostgresType.numeric, "-Infinity"),
      (.text("1.50"), "numeric", PostgresType.numeric, "1.50"), (.text("[1]"), "jsonb", PostgresType.jsonb, "[1]"),
      (.json("{}"), "json", PostgresType.json, "{}"),
      (
        .timestamp(microsecondsSince2000: microseconds), "timestamp", PostgresType.timestamp,
        "1999-12-31 23:59:59.999999"
      ),
      (.timestamp(microsecondsSince2000: microseconds), "date", PostgresType.date, "1999-12-31"),
      (.timestamp(microsecondsSince2000: .max), "date", PostgresType.date, "infinity"),
      (.text("happy"), "mood", 99_999, "happy"), (.null, "int4", PostgresType.int4, ""),
      (.texts(["a", nil]), "text[]", PostgresType.textArray, "{a,NULL}"),
      (.bool(true), "bool", PostgresType.bool, "true"),
    ]
    for (argument, name, type, text) in cases {
      try connection.script("DROP TABLE IF EXISTS u; CREATE TABLE u (a \(name))")
      try connection.copyIn("COPY u FROM STDIN (FORMAT binary)") { rows in
        try rows.beginRow(1)
        try rows.field(argument, type: type)
      }
      #expect(try connection.run("SELECT a::text FROM u").text(0, 0) == text, "\(argument) as \(name)")
    }
    let error = #expect(throws: StoreError.self) {
      try connection.copyIn("COPY u FROM STDIN (FORMAT binary)") { rows in
        try rows.beginRow(1)
        try rows.field(.int(1 << 40), type: PostgresType.int4)
      }
    }
    #expect(error?.fact == .numberTooLarge(1 << 40, bits: 32))
  }
}
