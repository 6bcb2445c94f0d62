import Testing

@testable import HTTP

/// Who may ask: a browser with the token of the printed address, from a page of ours.
@Suite struct AccessGuardTests {
  private let access = AccessGuard(.port(4000))

  private func request(
    _ headers: [String: String], _ method: HTTPRequest.Method = .get, path: [String] = ["Quake"], token: String? = nil
  ) -> HTTPRequest {
    HTTPRequest(
      method: method, path: path, query: token.map { [.init("token", $0)] } ?? [],
      headers: headers.map { .init($0, $1) })
  }

  private let host = ["host": "127.0.0.1:4000"]

  /// The headers of a browser that has been given its cookie.
  private func admitted() throws -> [String: String] {
    guard case .exchanged(let cookie) = access.judge(request(host, path: [], token: access.token)) else {
      throw LoopbackClient.Missing()
    }
    return host.merging(["cookie": String(cookie.prefix { $0 != ";" })]) { $1 }
  }

  @Test func aTokenIsExchangedOnceForAStrictCookie() throws {
    let token = access.token
    guard case .exchanged(let cookie) = access.judge(request(host, path: [], token: token)) else {
      Issue.record("the token was not taken")
      return
    }
    #expect(cookie.hasPrefix("perilune-4000=") && cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
    #expect(access.token != token)
    #expect(access.judge(request(host, path: [], token: token)) == .refused(.forbidden, .usedToken))
    #expect(access.judge(request(host.merging(["cookie": String(cookie.prefix { $0 != ";" })]) { $1 })) == .allowed)
  }

  @Test(arguments: [
    "evil.example", "evil.example:4000", "127.0.0.1", "127.0.0.1:4001", "localhost.:4000", "127.0.0.1.:4000",
    "localhost:4000.evil.example", "127.0.0.1:4000@evil.example", "", "0.0.0.0:4000", "[::]:4000", "2130706433:4000",
    "localhost:04000",
  ])
  func onlyThisMachineIsTheHost(_ name: String) throws {
    let headers = try admitted().merging(["host": name]) { $1 }
    #expect(access.judge(request(headers)) == .refused(.misdirected, .host))
  }

  @Test(arguments: ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000", "[::1]:4000"])
  func namesOfThisMachineAreTheHost(_ name: String) throws {
    #expect(access.judge(request(try admitted().merging(["host": name]) { $1 })) == .allowed)
  }

  @Test func withoutTheCookieNothingIsReadable() {
    #expect(access.judge(request(host)) == .refused(.forbidden, .noAccess))
    for cookie in ["perilune-4000=", "perilune-4000=0", "perilune-4001=a", "perilune-4000=\(access.token)"] {
      #expect(access.judge(request(host.merging(["cookie": cookie]) { $1 })) == .refused(.forbidden, .noAccess))
    }
  }

  @Test(arguments: ["cross-site", "same-site"])
  func aPageOfAnotherServerGetsNothing(_ site: String) throws {
    let headers = try admitted().merging(["sec-fetch-site": site, "sec-fetch-dest": "document"]) { $1 }
    #expect(access.judge(request(headers)) == .refused(.forbidden, .origin))
    let frame = host.merging(["sec-fetch-site": site, "sec-fetch-dest": "iframe"]) { $1 }
    #expect(access.judge(request(frame, path: [], token: access.token)) == .refused(.forbidden, .origin))
  }

  @Test(arguments: [
    "http://evil.example", "http://127.0.0.1:4001", "https://127.0.0.1:4000", "http://localhost:4000", "null", "",
    "http://127.0.0.1:4000.evil.example",
  ])
  func whatChangesComesFromOurOrigin(_ origin: String) throws {
    let headers = try admitted().merging(["origin": origin]) { $1 }
    #expect(access.judge(request(headers, .post)) == .refused(.forbidden, .origin))
    #expect(access.judge(request(headers)) == .refused(.forbidden, .origin))
  }

  @Test func aFormOfOursIsTakenWithAndWithoutItsOrigin() throws {
    let headers = try admitted()
    #expect(access.judge(request(headers.merging(["origin": "http://127.0.0.1:4000"]) { $1 }, .post)) == .allowed)
    let silent = headers.merging(["origin": "null", "sec-fetch-site": "same-origin"]) { $1 }
    #expect(access.judge(request(silent, .post)) == .allowed)
    #expect(access.judge(request(headers, .post)) == .refused(.forbidden, .origin))
  }

  @Test func everyResponseKeepsThePageToItself() {
    let headers = HTTPResponse(type: "text/html", "a").guarded.headers
    func value(_ name: String) -> String { headers.first { $0.name == name }?.value ?? "" }
    #expect(value("Content-Security-Policy").hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
    #expect(!value("Content-Security-Policy").contains("unsafe"))
    #expect(value("X-Content-Type-Options") == "nosniff" && value("Referrer-Policy") == "no-referrer")
    #expect(
      value("Cross-Origin-Opener-Policy") == "same-origin" && value("Cross-Origin-Resource-Policy") == "same-origin")
    #expect(!headers.contains { $0.name.hasPrefix("Access-Control") })
  }
}
