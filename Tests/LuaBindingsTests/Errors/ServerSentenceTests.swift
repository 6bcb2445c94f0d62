import LuaBindings
import StoreErrors
import Stores
import Testing

/// What goes wrong with a server, in words: what was expected, what was found, and what to do.
struct ServerSentenceTests {
  private func report(_ fact: StoreError.Fact) -> ErrorReport {
    ErrorReport(StoreError(fact, path: "postgresql://ada@h/q"))
  }

  @Test(
    arguments: [
      (
        StoreError.Fact.clientLibraryMissing(package: "libpq5"), "connection", Int32(69),
        "PostgreSQL's client library (libpq.so.5) is not on this system; install it, as by 'apt install libpq5'"
      ),
      (
        .clientLibraryTooOld(package: "libpq5", version: "14"), "connection", 69,
        "PostgreSQL's client library (libpq5) is older than version 14"
      ),
      (
        .wrongAddress("invalid port number: \"x\""), "connection", 64,
        "the address of the server cannot be read: invalid port number: \"x\""
      ),
      (
        .connectionFailed("Connection refused"), "connection", 69,
        "'postgresql://ada@h/q' cannot be reached: Connection refused"
      ),
      (
        .connectionFailed("connection to server at \"h\", port 5432 failed: FATAL:  database \"q\" does not exist"),
        "connection", 69, "'postgresql://ada@h/q' refuses the connection: database \"q\" does not exist"
      ),
      (
        .passwordMissing(user: "ada"), "password", 77,
        "'postgresql://ada@h/q' asks for a password of 'ada', and there is none; PGPASSWORD, a line of ~/.pgpass or the"
          + " address gives one"
      ),
      (.connectionTimedOut(seconds: 2), "connection", 75, "'postgresql://ada@h/q' did not answer in 2 s"),
      (
        .connectionLost("server closed"), "connection", 75,
        "the connection to 'postgresql://ada@h/q' was lost: server closed"
      ),
      (.connectionLost(""), "connection", 75, "the connection to 'postgresql://ada@h/q' was lost"),
      (
        .nulInText, "value", 1,
        "PostgreSQL keeps no text with the character NUL (\\0) in it; data (bytea) can hold it"
      ),
      (
        .numberTooLarge(40_000, bits: 16), "value", 1,
        "40000 does not fit into a column of type smallint (16 bits)"
      ),
      (
        .wrongNumber("1.2.3"), "value", 1,
        "'1.2.3' is no number that PostgreSQL can keep: expected decimal digits, at most 131,072 before the point and"
          + " 16,383 after it"
      ),
    ] as [(StoreError.Fact, String, Int32, String)])
  func aFactBecomesASentence(fact: StoreError.Fact, kind: String, status: Int32, sentence: String) {
    let report = report(fact)
    #expect(report.message == sentence && report.kind == kind && report.exitStatus == status)
  }

  @Test func aRefusalShowsItsPlaceInTheStatement() throws {
    var error = ServerError(sqlState: "42703", message: "column \"x\" does not exist")
    (error.statement, error.position, error.hint) = ("SELECT 'ä', x FROM t", 13, "Perhaps you meant \"y\".")
    let report = report(.server(error))
    #expect(
      report.message
        == "column \"x\" does not exist; the server advises: Perhaps you meant \"y\". [42703]" && report.kind == "sql")
    let detail = try #require(report.details.first)
    #expect(detail.excerpt?.line.columns == 12..<13 && detail.fields.first?.value == "42703")
    error.index = 3
    #expect(self.report(.server(error)).message.hasSuffix("[42703] (statement 4 of those sent together)"))
  }
}
