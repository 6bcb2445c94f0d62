internal import CPostgres
internal import Modeling
public import StoreErrors

/// Where a database is: a URL or a list of settings, as libpq reads them.
///
///     try PostgresAddress("postgres://ada@db.example.org/quakes?sslmode=verify-full")
///     try PostgresAddress("service=quakes")
///
/// What the text leaves open, the user's service and password files and the variables `PGHOST`, `PGUSER`… say at
/// connecting. The text may hold a password, which nothing but the connection sees.
public struct PostgresAddress: Hashable, Sendable {
  /// What libpq is given.
  let text: String
  /// The address as a URL without passwords.
  public let shown: String
  /// The host, a list of hosts, or the folder of a socket; nil where the text does not say.
  public let host: String?
  /// The database; nil where the text does not say.
  public let database: String?
  /// The user; nil where the text does not say.
  public let user: String?
  /// The port, or ports; what stands there may be a password.
  private let port: String?
  /// A password that the user typed when asked; it takes precedence over that of the text.
  public var password: String?

  /// Reads an address.
  ///
  /// - Throws: `StoreError` where it cannot be read, or libpq is not there.
  public init(_ text: String) throws(StoreError) {
    try ClientLibrary.open()
    if text.utf8.contains(0) { throw StoreError(.wrongAddress("")) }
    var message: UnsafeMutablePointer<CChar>?
    let options = PQconninfoParse(text, &message)
    defer { if message != nil { PQfreemem(message) } }
    guard let options else {
      throw StoreError(.wrongAddress(Self.withoutSecrets(ClientLibrary.message(message), of: text)))
    }
    defer { PQconninfoFree(options) }
    let settings = ConnectionSettings(options)
    self.text = text
    host = settings["host"] ?? settings["hostaddr"]
    database = settings["dbname"]
    user = settings["user"]
    port = settings["port"]
    shown = settings.url(scheme: Self.scheme(of: text) ?? "postgresql://")
  }

  /// Whether a text is meant to be the URL of a server.
  public static func isAddress(_ text: String) -> Bool { scheme(of: text) != nil }

  private static func scheme(of text: String) -> String? {
    ["postgres://", "postgresql://"].first { text.hasPrefix($0) }
  }

  /// The message of libpq about a text that it cannot read, without a possible password: it quotes the parts that it does
  /// not understand.
  private static func withoutSecrets(_ message: String, of text: String) -> String {
    let harmless = shownRoughly(text).withoutPassword
    return hidingQuotations(message.replacing(text, with: harmless)) { !harmless.contains($0) }
  }

  /// What libpq says of a connection, without what of the address may be a password in another place than it should be.
  func withoutSecrets(_ message: String) -> String {
    let harmless = shown.withoutPassword
    return Self.hidingQuotations(message) { (text.contains($0) || $0 == port ?? "") && !harmless.contains($0) }
  }

  private static func hidingQuotations(_ message: String, _ isSecret: (Substring) -> Bool) -> String {
    var result = ""
    for (index, part) in message.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { result += "\"" }
      // Every second part stands in quotation marks.
      result += index.isMultiple(of: 2) || !isSecret(part) ? part : "…"
    }
    return result
  }

  /// A text that libpq cannot read, without what stands where passwords do.
  private static func shownRoughly(_ text: String) -> String {
    guard let scheme = scheme(of: text) else { return "…" }
    var rest = text.dropFirst(scheme.count)
    if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    return scheme + rest.prefix { $0 != "?" }
  }
}

extension PostgresAddress: CustomStringConvertible, CustomDebugStringConvertible {
  /// The address without passwords.
  public var description: String { shown }
  /// The address without passwords.
  public var debugDescription: String { shown }
}
