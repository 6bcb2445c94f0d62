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

  @Test func addressesWithinAMessageAreToo() {
    #expect(
      "no store 'postgre://ada:sec@ret@h/x'; 'mysql://h:33/y?password=p', see https://w.org:80/a@b".withoutPasswords
        == "no store 'postgre://ada@h/x'; 'mysql://h:33/y?password=…', see https://w.org:80/a@b")
    #expect("'postgres://ada:secret' cannot be".withoutPasswords == "'postgres://ada:…' cannot be")
    let plain = "report.lua:12:3: error: expected a:b@c, password = 'x'"
    #expect(plain.withoutPasswords == plain)
  }
}
