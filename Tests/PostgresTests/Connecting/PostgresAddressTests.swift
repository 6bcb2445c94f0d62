import Postgres
import StoreErrors
import TestSupport
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "there is no libpq on this system"))
struct PostgresAddressTests {
  @Test(arguments: [
    ("postgres://ada:secret@db.example.org/quakes", "postgres://ada@db.example.org/quakes"),
    ("postgresql://ada@h:5433/q?sslmode=require&sslpassword=secret", "postgresql://ada@h:5433/q?sslmode=require"),
    ("postgresql:///q?host=/run/postgresql&password=secret", "postgresql:///q?host=/run/postgresql"),
    ("postgresql://a%20b:se%63ret@[::1]:5432,two:6000/a%2Fb", "postgresql://a%20b@[::1]:5432,two:6000/a%2Fb"),
    ("host=h dbname=q user=ada password='secret'", "postgresql://ada@h/q"),
    ("service=quakes", "postgresql:///?service=quakes"),
    ("postgresql://", "postgresql://"),
  ]) func anAddressIsShownWithoutPasswords(text: String, shown: String) throws {
    let address = try PostgresAddress(text)
    #expect(address.shown == shown && "\(address)" == shown && !String(reflecting: address).contains("secret"))
    // What is shown means the same, but for the password.
    #expect(
      try PostgresAddress(shown).shown.replacing("postgres:", with: "postgresql:")
        == shown.replacing("postgres:", with: "postgresql:"))
  }

  @Test func itsPartsAreThoseThatTheTextNames() throws {
    let address = try PostgresAddress("postgres://ada:x@db.example.org/quakes")
    #expect(address.host == "db.example.org" && address.database == "quakes" && address.user == "ada")
    let local = try PostgresAddress("postgresql:///quakes")
    #expect(local.host == nil && local.user == nil && local.database == "quakes")
  }

  @Test(arguments: [
    "postgresql://ada:secret@[::1/x", "postgresql://ada:secret@h/x?nothing=secret", "postgresql://ada:sec%ret@h/x",
    "postgresql://ada:secret%zz@h", "password=secret nothing=secret", "password='secret", "secret",
    "postgresql://h/x?password", "postgresql://ada:sec\0ret@h/x",
  ]) func whatCannotBeReadIsToldWithoutPasswords(text: String) throws {
    let error = #expect(throws: StoreError.self) { try PostgresAddress(text) }
    guard case .wrongAddress(let reason) = error?.fact else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(!reason.contains("secret") && !reason.contains("sec%ret"), "\(reason)")
  }

  @Test func aURLIsToldFromTheNameOfAFile() {
    #expect(PostgresAddress.isAddress("postgres://h/x") && PostgresAddress.isAddress("postgresql:///x"))
    #expect(!PostgresAddress.isAddress("postgres.sqlite") && !PostgresAddress.isAddress("service=x"))
  }
}
