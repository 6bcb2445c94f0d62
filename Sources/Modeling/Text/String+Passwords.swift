// Addresses of servers hold passwords: in a message, a title or a list they are left out. A misspelt address is not one that a
// library reads, so that it is looked at here as people write addresses.
extension String {
  /// The text, where it is the address of a server, without a password in it; other names as they are.
  ///
  ///     "postgre://ada:secret@host/shop".withoutPassword             // "postgre://ada@host/shop"
  ///     "host=h password='secret' dbname=shop".withoutPassword       // "host=h password=… dbname=shop"
  ///
  /// What may be one counts as a password, so that a file with a colon and an @ in its name may be shown otherwise.
  public var withoutPassword: String {
    guard utf8.contains(UInt8(ascii: ":")) || utf8.contains(UInt8(ascii: "=")) else { return self }
    if let scheme = firstMatch(of: Self.scheme) {
      return Self.hiding(self[..<scheme.range.upperBound], self[scheme.range.upperBound...], isWeb: false)
    }
    let isPath = hasPrefix("/") || hasPrefix(".") || hasPrefix("~") || hasPrefix("-")
    let isAddress = hasPrefix("postgre") || prefix { $0 != ":" }.allSatisfy { $0 != "/" }
    if !isPath, isAddress, contains("@") { return Self.hiding("", self[...], isWeb: false) }
    return Self.hidingSettings(self)
  }

  /// The text without the passwords of addresses within it, which end where a space does.
  ///
  ///     "there is no store 'postgre://ada:secret@host/shop'".withoutPasswords
  public var withoutPasswords: String {
    guard utf8.contains(UInt8(ascii: ":")), contains(":/") else { return self }
    var result = ""
    var rest = self[...]
    while let scheme = rest.firstMatch(of: Self.scheme) {
      let region = rest[scheme.range.upperBound...].prefix { !$0.isWhitespace }
      let isWeb = ["http", "https", "ftp", "file", "ssh", "git"].contains(scheme.output.name.lowercased())
      result += Self.hiding(rest[..<scheme.range.upperBound], region, isWeb: isWeb)
      rest = rest[region.endIndex...]
    }
    return result + rest
  }

  private static var scheme: Regex<(Substring, name: Substring)> { /(?<name>[A-Za-z][A-Za-z0-9+.\-]*):\/+/ }

  /// What stands behind a scheme, without a password before its last @, in what follows it, and in the place of a port.
  private static func hiding(_ start: Substring, _ region: Substring, isWeb: Bool) -> String {
    // A password may hold every character, also those that should be written otherwise; that of a web page's address does not.
    let authority = isWeb ? region.prefix { !"/?#".contains($0) } : region
    var shown = region
    var user = ""
    if let at = authority.lastIndex(of: "@") {
      user = region[..<at].prefix { $0 != ":" } + "@"
      shown = region[region.index(after: at)...]
    } else if !isWeb, let colon = authority.firstIndex(of: ":"), !authority.hasPrefix("[") {
      // Whose host was forgotten, has the password where a port stands.
      let port = authority[authority.index(after: colon)...].prefix { !"/?#,'\"".contains($0) }
      if !port.allSatisfy({ $0.isASCII && $0.isNumber }) {
        let rest = region[port.endIndex...]
        return start + region[...colon] + "…" + (rest.firstIndex(of: "'").map { String(rest[$0...]) } ?? "")
      }
    }
    return start + user + hidingSettings(String(shown))
  }

  /// Settings whose names say that they are passwords, without their values.
  private static func hidingSettings(_ text: String) -> String {
    text.replacing(/(?<name>password\s*=\s*)(?:'(?:\\.|[^'\\])*'?|[^&\s'"]*)/) { match in
      match.output.name.filter { !$0.isWhitespace } + "…"
    }
  }
}
