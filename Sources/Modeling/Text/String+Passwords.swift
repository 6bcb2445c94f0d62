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
    guard mayHoldPasswords else { return self }
    return replacingAddresses { rest, name in
      return (rest.prefix { !$0.isWhitespace }, Self.webSchemes.contains(name.lowercased()))
    }.withoutSettings
  }

  /// A typed line without the passwords of addresses, settings and SQL within it. Text in quotes is examined by itself, so
  /// that a line of code stays one.
  ///
  ///     "db = open('postgres://ada:secret@host/shop')".withoutTypedPasswords       // "db = open('postgres://ada@host/shop')"
  ///     ".sql ALTER ROLE ada PASSWORD 'secret'".withoutTypedPasswords              // ".sql ALTER ROLE ada PASSWORD '…'"
  public var withoutTypedPasswords: String {
    guard mayHoldPasswords else { return self }
    let isWeb = { (name: Substring, region: Substring) in
      Self.webSchemes.contains(name.lowercased()) || !(name.lowercased().hasPrefix("postgre") || region.contains("@"))
    }
    return hidingOpened.replacingAddresses { rest, name in
      let start = rest.base[..<rest.startIndex].lastIndex { !($0.isLetter || $0.isNumber || "+.-:/".contains($0)) }
      let region: Substring
      switch start.map({ rest.base[$0] }) {
      case let quote? where quote == "\"" || quote == "'":
        var isEscaped = false
        region = rest.prefix { character in
          defer { isEscaped = character == "\\" && !isEscaped }
          return character != quote || isEscaped
        }
      case "[":
        let line = rest.prefix { !$0.isWhitespace }
        region = line.firstRange(of: "]").map { line[..<$0.lowerBound] } ?? line
      default: region = rest.prefix { !$0.isWhitespace }
      }
      return (region, isWeb(name, region))
    }.withoutSettings
  }

  /// The line, with each opened name as it is without a password. A name may be a misspelled address.
  private var hidingOpened: String {
    guard contains("open") else { return self }
    return replacing(/^(?<start>\s*\.open\s+)(?<name>.+)$/) { $0.output.start + String($0.output.name).withoutPassword }
      .replacing(/(?<start>\bopen\s*\(?\s*)(?<quote>["'])(?<name>[^"'\\\n]*)\k<quote>/) { match in
        match.output.start + match.output.quote + String(match.output.name).withoutPassword + match.output.quote
      }
  }

  private static let webSchemes: Set = ["http", "https", "ftp", "file", "ssh", "git"]

  /// Whether it is worth a look.
  private var mayHoldPasswords: Bool {
    utf8.contains(UInt8(ascii: ":")) && (contains(":/") || contains("@")) || contains("assword") || contains("ASSWORD")
  }

  /// The text with its addresses as they are without passwords. `end` gets the text behind a scheme, and returns the part
  /// that is the address, and whether it is that of a web page.
  private func replacingAddresses(_ end: (Substring, Substring) -> (region: Substring, isWeb: Bool)) -> String {
    var result = ""
    var rest = self[...]
    while let scheme = rest.firstMatch(of: Self.scheme) {
      let (region, isWeb) = end(rest[scheme.range.upperBound...], scheme.output.name)
      result += Self.hiding(rest[..<scheme.range.upperBound], region, isWeb: isWeb)
      rest = rest[region.endIndex...]
    }
    return result + rest
  }

  /// The text without the passwords of settings among others (`host=h password=secret`), of variables, and of roles in SQL.
  private var withoutSettings: String {
    guard contains("assword") || contains("ASSWORD") else { return self }
    var text = replacing(/(?<name>\bPGPASSWORD=)(?:'[^']*'|"[^"]*"|[^\s'"]+)/) { $0.output.name + "…" }
    if text.contains(/\b(?:role|user)\b/.ignoresCase()) {
      text.replace(/(?<name>\bpassword\s+)'(?:''|[^'])*'/.ignoresCase()) { $0.output.name + "'…'" }
    }
    var result = ""
    var rest = text[...]
    while let match = rest.firstMatch(of: /\bpassword=(?:'(?:\\.|[^'\\])*'|[^\s'"]+)/) {
      let before = text[..<match.range.lowerBound]
      let isSetting =
        before.contains(/\b(?:host|hostaddr|port|dbname|user|service|sslmode)=[^\s"']+\s+$/)
        || text[match.range.upperBound...].prefixMatch(
          of: /\s+(?:host|hostaddr|port|dbname|user|service|sslmode)=/) != nil
      result += rest[..<match.range.lowerBound]
      // A field of a table in code ends with a comma.
      result += isSetting && text[match.range].last != "," ? "password=…" : rest[match.range]
      rest = rest[match.range.upperBound...]
    }
    return result + rest
  }

  private static var scheme: Regex<(Substring, name: Substring)> { /(?<name>[A-Za-z][A-Za-z0-9+.\-]*):\/+/ }

  /// The text behind a scheme, without a password before its last @, in the text after that, and in the place of a port.
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
