import Modeling
import Testing

/// A password is in no text that is shown, however its address is misspelt.
@Suite struct StringPasswordsTests {
  @Test(arguments: [
    ("postgres://ada:secret@h/x", "postgres://ada@h/x"),
    ("postgre://ada:secret@h:5432/x?a=b", "postgre://ada@h:5432/x?a=b"),
    ("postgres:/ada:secret@h/x", "postgres:/ada@h/x"), ("postgres//ada:secret@h/x", "postgres//ada@h/x"),
    ("postgres://ada:se/cr@et@h/x", "postgres://ada@h/x"), ("postgres://ada:se cret@h/x", "postgres://ada@h/x"),
    ("ada:secret@h/x", "ada@h/x"), ("postgres://ada:secret", "postgres://ada:…"),
    ("postgres://ada:secret/x", "postgres://ada:…"), ("postgres://h:5432/x", "postgres://h:5432/x"),
    ("postgres://[::1]:5432/x", "postgres://[::1]:5432/x"),
    ("postgres://ada@h/x?password=secret", "postgres://ada@h/x?password=…"),
    ("postgres://h/x?sslpassword=secret&a=b", "postgres://h/x?sslpassword=…&a=b"),
    ("host=h password = 'se cret' dbname=x", "host=h password=… dbname=x"), ("password=secret", "password=…"),
    ("shop.sqlite", "shop.sqlite"), ("./a:b@c.sqlite", "./a:b@c.sqlite"), ("/a=b/c:d@e", "/a=b/c:d@e"),
  ]) func anAddressIsShownWithoutItsPassword(text: String, shown: String) {
    #expect(text.withoutPassword == shown)
    #expect(shown.withoutPassword == shown)
  }

  @Test(arguments: [
    ("db = open('postgres://ada:sec@ret@h/x') print 'a@b'", "db = open('postgres://ada@h/x') print 'a@b'"),
    (#"open("postgres://ada:se'cret@h/x"):close()"#, #"open("postgres://ada@h/x"):close()"#),
    (#"open("postgres://ada:se cret@h/x", { readOnly = true })"#, #"open("postgres://ada@h/x", { readOnly = true })"#),
    ("open [[postgres://ada:secret@h/x]]", "open [[postgres://ada@h/x]]"),
    (".open postgre:/ada:secret@h/x", ".open postgre:/ada@h/x"), (".open ada:secret@h/x", ".open ada@h/x"),
    ("open 'ada:secret@h/x'", "open 'ada@h/x'"),
    ("x = 'https://me:secret@host/path' y", "x = 'https://me@host/path' y"),
    ("os.execute 'psql \"host=h user=ada password=secret\"'", "os.execute 'psql \"host=h user=ada password=…\"'"),
    ("os.execute 'psql \"password=secret host=h\"'", "os.execute 'psql \"password=… host=h\"'"),
    ("os.execute 'PGPASSWORD=secret psql'", "os.execute 'PGPASSWORD=… psql'"),
    (".sql ALTER ROLE ada PASSWORD 'sec''ret'", ".sql ALTER ROLE ada PASSWORD '…'"),
    ("a = 'postgres://x:y@h' b = 'postgres://z:w@h'", "a = 'postgres://x@h' b = 'postgres://z@h'"),
  ]) func aTypedLineIsKeptWithoutPasswords(text: String, kept: String) {
    #expect(text.withoutTypedPasswords == kept)
    #expect(kept.withoutTypedPasswords == kept)
  }

  @Test(arguments: [
    "Quake:where(\"place == 'a@b' AND password = 'x'\")", "User { name = 'a', password = other }", "open 'shop.sqlite'",
    "print('http://host:80/a@b')", "state = State 'app://item:detail'", "q:name(\"a:b\")", "{ password=pw, user=u }",
    ".open a/b:c.sqlite", "postgres://me@db:5432/lib",
  ]) func whatIsNoPasswordStays(text: String) {
    #expect(text.withoutTypedPasswords == text)
  }

  @Test func addressesWithinAMessageAreToo() {
    #expect(
      "no store 'postgre://ada:sec@ret@h/x'; 'mysql://h:33/y?password=p', see https://w.org:80/a@b".withoutPasswords
        == "no store 'postgre://ada@h/x'; 'mysql://h:33/y?password=…', see https://w.org:80/a@b")
    #expect("'postgres://ada:secret' cannot be".withoutPasswords == "'postgres://ada:…' cannot be")
    let plain = "report.lua:12:3: error: expected a:b@c, password = 'x'"
    #expect(plain.withoutPasswords == plain)
  }
}
