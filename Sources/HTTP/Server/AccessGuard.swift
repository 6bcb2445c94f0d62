internal import Modeling

/// Decides which requests are answered: those of a browser that was given the printed address, about pages of this server.
///
/// A page of another host can make a browser send requests here, also under a name of its own that leads to this machine. So
/// the host must be this machine by name, what changes or streams must come from a page of ours, and each request needs a cookie
/// that the browser was given for the token of the printed address, which serves once.
package final class AccessGuard {
  /// What is done with a request.
  package enum Verdict: Equatable {
    case allowed
    /// The token was right: the cookie is to be set, and the browser sent on to the page without the token.
    case exchanged(cookie: String)
    case refused(HTTPStatus, Refusal)
  }

  /// Why a request is refused.
  package enum Refusal: Equatable {
    case host
    case origin
    /// There is no cookie, or an old one.
    case noAccess
    case usedToken
  }

  private let hosts: Set<String>
  private let cookieName: String
  private let secret = AccessGuard.newSecret()
  /// The token of the address that is printed next.
  package private(set) var token = AccessGuard.newSecret()

  package init(_ address: ListeningSocket.Address) {
    switch address {
    case .port(let port):
      hosts = Set(["127.0.0.1", "localhost", "[::1]"].map { "\($0):\(port)" })
      cookieName = "perilune-\(port)"
    case .path:
      hosts = ["localhost"]
      cookieName = "perilune-socket"
    }
  }

  /// Judges a request. A token that was right is not right again.
  package func judge(_ request: HTTPRequest) -> Verdict {
    guard let host = request.header("host")?.lowercased(), hosts.contains(host) else {
      return .refused(.misdirected, .host)
    }
    guard hasOwnOrigin(request, host) else { return .refused(.forbidden, .origin) }
    if let given = request.value("token"), request.path.isEmpty, request.method == .get {
      guard Self.areEqual(given, token) else {
        return hasCookie(request) ? .allowed : .refused(.forbidden, .usedToken)
      }
      token = Self.newSecret()
      return .exchanged(cookie: "\(cookieName)=\(secret); Path=/; HttpOnly; SameSite=Strict")
    }
    return hasCookie(request) ? .allowed : .refused(.forbidden, .noAccess)
  }

  /// Whether a request comes from a page of ours, or from the user, as far as the browser says it. What changes anything must say it.
  private func hasOwnOrigin(_ request: HTTPRequest, _ host: String) -> Bool {
    let site = request.header("sec-fetch-site")
    let isExchange = request.path.isEmpty && request.value("token") != nil
    if let site, site != "same-origin", site != "none" {
      // The printed address may be a link in another program's page.
      guard isExchange, request.method == .get, request.header("sec-fetch-dest") == "document" else { return false }
    }
    guard let origin = request.header("origin") else { return request.method != .post }
    // Without a referrer, browsers keep the origin of a form to themselves, but not that it is ours.
    return origin == "http://" + host || (origin == "null" && site == "same-origin")
  }

  private func hasCookie(_ request: HTTPRequest) -> Bool {
    request.cookie(cookieName).map { Self.areEqual($0, secret) } ?? false
  }

  /// Compares in a time that does not depend on where two texts differ.
  package static func areEqual(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// 256 random bits.
  package static func newSecret() -> String {
    (0..<4).map { _ in
      let digits = String(OutsideWorld.current.random(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

extension HTTPResponse {
  /// The response with the headers that keep a page to itself: nothing of other hosts is loaded, no other page frames it, and no
  /// type is guessed.
  package var guarded: HTTPResponse {
    var response = self
    let policy = [
      "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
      "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
    ]
    response.headers += [
      .init("Content-Security-Policy", policy.joined(separator: "; ")),
      .init("X-Content-Type-Options", "nosniff"), .init("Referrer-Policy", "no-referrer"),
      .init("Cross-Origin-Opener-Policy", "same-origin"), .init("Cross-Origin-Resource-Policy", "same-origin"),
      .init("Cache-Control", "no-store"),
    ]
    return response
  }
}
