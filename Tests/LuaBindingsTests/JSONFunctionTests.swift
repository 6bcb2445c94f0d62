import LuaBindings
import Testing

@Suite struct JSONFunctionTests {
  private let script: Script
  init() throws { script = try Script.sample() }

  @Test(arguments: [
    ("{ a = 1, b = { 1, 2.5, { c = null } } }", #"{"a":1,"b":[1,2.5,{"c":null}]}"#), ("'a\"b'", #""a\"b""#),
    ("true", "true"),
    ("nil", "null"), ("null", "null"), ("{}", "{}"), ("Date(0)", #""1970-01-01T00:00:00Z""#),
    ("{ Decimal '1.10' }", #"["1.1"]"#),
  ])
  func valuesAreEncoded(_ value: String, _ json: String) throws {
    #expect(try script.value("encodeJSON(\(value))") == json)
  }

  @Test func objectsAreTheirAttributesAndTheKeysOfTheirToOnes() throws {
    try script.run("q = Quake { code = 'us1', magnitude = 5.5 } r = Report { text = 'x', quake = q } save()")
    #expect(try script.value("encodeJSON(r)") == #"{"quake":1,"score":null,"text":"x"}"#)
    for list in ["q.reports", "Report:all():fetch()", "Report:all():live()"] {
      #expect(try script.value("encodeJSON(\(list))") == #"[{"quake":1,"score":null,"text":"x"}]"#)
    }
  }

  @Test func whatIsReadAgainIsTheSame() throws {
    try script.run(
      """
      local text = '{"a":[1,2.5,null,true,"x"],"b":{"c":{}}}'
      assert(encodeJSON(decodeJSON(text)) == text)
      assert(encodeJSON(decodeJSON(encodeJSON(decodeJSON(text), { pretty = true }))) == text)
      assert(decodeJSON 'null' == nil and decodeJSON '[null]'[1] == null and math.type(decodeJSON '3') == 'integer')
      """)
    #expect(try script.value("encodeJSON({ a = { 1 } }, { pretty = true })") == "{\n  \"a\": [\n    1\n  ]\n}")
  }

  @Test func mistakesAreNamedWithTheirPlace() {
    #expect(script.error("encodeJSON { f = print }")?.contains("encodeJSON: a function is no JSON") == true)
    #expect(script.error("encodeJSON { 1, x = 2 }")?.contains("both names and numbers") == true)
    #expect(script.error("encodeJSON(1 / 0)")?.contains("no infinity") == true)
    #expect(script.error("local t = {} t[1] = t encodeJSON(t)")?.contains("deep") == true)
    #expect(
      script.error("decodeJSON '[1,'")?.contains("line 1, column 4: the text ends where a value is expected") == true)
    #expect(script.error("encodeJSON(1, { prety = true })")?.contains("pretty") == true)
  }
}
