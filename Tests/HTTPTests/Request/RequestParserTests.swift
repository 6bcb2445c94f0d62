import Testing

@testable import HTTP

/// What is read as a request, and what is refused.
@Suite struct RequestParserTests {
  static func parse(_ text: String, limits: HTTPLimits = .standard) -> RequestParser.Outcome {
    var parser = RequestParser(limits: limits)
    parser.receive(Array(text.utf8))
    return parser.next()
  }

  @Test func aRequestHasItsPartsDecoded() throws {
    let outcome = Self.parse(
      "GET /Quake%20s?where=a+%3E%205&sort=-b&x HTTP/1.1\r\nHost: localhost:80\r\nX-A:  b \r\n\r\n")
    guard case .request(let request) = outcome else { throw Unexpected(outcome) }
    #expect(request.method == .get && request.path == ["Quake s"])
    #expect(request.query == [.init("where", "a > 5"), .init("sort", "-b"), .init("x", "")])
    #expect(request.headers == [.init("host", "localhost:80"), .init("x-a", "b")])
  }

  @Test func aBodyIsReadByItsLength() throws {
    let outcome = Self.parse("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
    guard case .request(let request) = outcome else { throw Unexpected(outcome) }
    #expect(request.body == Array("hello".utf8))
  }

  @Test func bytesMayComeOneByOne() throws {
    var parser = RequestParser(limits: .standard)
    let text = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhiGET /b HTTP/1.1\r\nHost: a\r\n\r\n"
    var paths: [[String]] = []
    for byte in text.utf8 {
      parser.receive([byte])
      if case .request(let request) = parser.next() { paths.append(request.path) }
    }
    #expect(paths == [["a"], ["b"]])
  }

  @Test func formsAndCookiesAreRead() throws {
    let outcome = Self.parse(
      "POST / HTTP/1.1\r\nHost: a\r\nCookie: x=1; perilune-80=ab=c\r\n"
        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\n\r\na=b+c&d")
    guard case .request(let request) = outcome else { throw Unexpected(outcome) }
    #expect(request.form == [.init("a", "b c"), .init("d", "")])
    #expect(request.cookie("perilune-80") == "ab=c" && request.cookie("perilune") == nil)
  }

  struct Refused: Sendable, CustomTestStringConvertible {
    var text: String
    var status: Int
    var testDescription: String { String(text.prefix(60)).debugDescription }
  }

  @Test(arguments: [
    Refused(text: "GET / HTTP/1.1\r\n\r\n", status: 400),
    Refused(text: "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", status: 400),
    Refused(text: "GET / HTTP/1.0\r\nHost: a\r\n\r\n", status: 505),
    Refused(text: "GET / HTTP/2.0\r\nHost: a\r\n\r\n", status: 505),
    Refused(text: "GET /  HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
    Refused(text: "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
    Refused(text: "GET / HTTP/1.1\nHost: a\r\n\r\n", status: 400),
    Refused(text: "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", status: 400),
    Refused(text: "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", status: 400),
    Refused(text: "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", status: 400),
    Refused(text: "GET / HTTP/1.1\r\nHost : a\r\n\r\n", status: 400),
    Refused(text: "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", status: 400),
    Refused(text: "GET / HTTP/1.1\r\nHost: a\u{0}\r\n\r\n", status: 400),
    Refused(text: "GET / HTTP/1.1\r\nHost: a\r\nX: \u{7F}\r\n\r\n", status: 400),
    Refused(text: "GET http://evil.example/ HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
    Refused(text: "GET //evil.example/ HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
    Refused(text: "GET /a/../b HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
    Refused(text: "GET /%2e%2e/b HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
    Refused(text: "GET /a%2Fb HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
    Refused(text: "GET /\\evil.example HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
    Refused(text: "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
    Refused(text: "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
    Refused(text: "GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
    Refused(text: "GET /é HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
    Refused(text: "GET /#a HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
    Refused(text: "GET * HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
    Refused(text: "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", status: 501),
    Refused(text: "PUT / HTTP/1.1\r\nHost: a\r\n\r\n", status: 501),
    Refused(text: "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", status: 501),
    Refused(text: "get / HTTP/1.1\r\nHost: a\r\n\r\n", status: 501),
    Refused(text: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", status: 501),
    Refused(
      text: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      status: 501),
    Refused(text: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", status: 400),
    Refused(text: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na", status: 400),
    Refused(text: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\na", status: 400),
    Refused(text: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\na", status: 413),
    Refused(text: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2097153\r\n\r\na", status: 413),
    Refused(text: "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na", status: 400),
    Refused(text: "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n", status: 417),
    Refused(text: "GET / HTTP/1.1\r\nHost: a\r\nOrigin: a\r\nOrigin: b\r\n\r\n", status: 400),
    Refused(text: "GET /" + String(repeating: "a", count: 9000), status: 414),
    Refused(text: "GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: a\r\n\r\n", status: 414),
    Refused(text: "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 20_000), status: 431),
    Refused(text: "GET / HTTP/1.1\r\n" + String(repeating: "X: a\r\n", count: 70) + "\r\n", status: 431),
    Refused(text: "\r\n\r\n", status: 400),
    Refused(text: "\u{16}\u{3}\u{1} hello\r\n\r\n", status: 400),
  ])
  func whatIsReadInTwoWaysElsewhereIsRefused(_ refused: Refused) {
    guard case .refused(let status) = Self.parse(refused.text) else {
      Issue.record("\(Self.parse(refused.text))")
      return
    }
    #expect(status.rawValue == refused.status)
  }

  @Test func nothingIsSaidBeforeTheHeadHasEnded() {
    #expect(Self.parse("GET / HTTP/1.1\r\nHost: a\r\n") == .incomplete)
    #expect(Self.parse("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell") == .incomplete)
    #expect(Self.parse("") == .incomplete)
  }
}

struct Unexpected: Error {
  var outcome: RequestParser.Outcome

  init(_ outcome: RequestParser.Outcome) { self.outcome = outcome }
}
