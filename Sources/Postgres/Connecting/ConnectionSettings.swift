internal import CPostgres

/// The settings of a connection by libpq's keywords, without those that are left open and without secrets.
struct ConnectionSettings {
  private var values: [(keyword: String, value: String)] = []

  /// Reads libpq's list.
  init(_ options: UnsafePointer<perilune_pq_option>) {
    var option = options
    while let keyword = option.pointee.keyword {
      // libpq marks what must not be shown.
      let isSecret = option.pointee.display.map { $0.pointee == CChar(bitPattern: UInt8(ascii: "*")) } ?? false
      if let value = option.pointee.value, !isSecret {
        values.append((String(cString: keyword), String(cString: value)))
      }
      option += 1
    }
  }

  subscript(keyword: String) -> String? { values.first { $0.keyword == keyword }?.value }

  /// The URL that says the same.
  func url(scheme: String) -> String {
    let places = self.places
    var inPath: Set = ["user", "dbname"]
    if places != nil { inPath.formUnion(["host", "port"]) }
    var url = scheme
    if let user = self["user"] { url += Self.encoded(user) + "@" }
    url += places ?? ""
    let rest = values.filter { !inPath.contains($0.keyword) }
      .map { "\($0.keyword)=\(Self.encoded($0.value, besides: "/"))" }
    if self["dbname"] != nil || !rest.isEmpty { url += "/" + Self.encoded(self["dbname"] ?? "") }
    return rest.isEmpty ? url : url + "?" + rest.joined(separator: "&")
  }

  /// `host:port,host:port`; nil where that stands with the other settings, as folders of sockets do.
  private var places: String? {
    guard let host = self["host"], !host.contains("/") else { return nil }
    let hosts = host.split(separator: ",", omittingEmptySubsequences: false)
    let ports = self["port"]?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    guard ports.count <= 1 || ports.count == hosts.count else { return nil }
    return hosts.enumerated().map { index, host in
      let name = host.contains(":") ? "[\(host)]" : Self.encoded(String(host))
      guard let port = ports.count == 1 ? ports[0] : ports.isEmpty ? nil : ports[index], !port.isEmpty else {
        return name
      }
      // A port that is no number may be a password without a host.
      return "\(name):\(port.allSatisfy { $0.isASCII && $0.isNumber } ? port : "…")"
    }.joined(separator: ",")
  }

  private static func encoded(_ text: String, besides: String = "") -> String {
    var result = ""
    for byte in text.utf8 {
      let character = Character(UnicodeScalar(byte))
      let isPlain =
        byte < 0x80 && (character.isLetter || character.isNumber || "-._~".contains(character))
        || besides.contains(character)
      result += isPlain ? String(character) : (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }
    return result
  }
}
