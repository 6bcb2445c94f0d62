/// A part of a page, as a value: text is never markup.
///
///     HTML.tag("td", ["class": "number"], [.text(name)]).text
///
/// Names of elements and attributes are literals of the program; texts and values of attributes are escaped by `escape` alone.
indirect enum HTML: Sendable {
  case text(String)
  case element(StaticString, KeyValuePairs<StaticString, String?>, [HTML])
  case group([HTML])

  static let nothing = HTML.group([])

  /// An element; an attribute whose value is nil is left out, and one with "" has no value.
  static func tag(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:], _ content: [HTML] = []
  ) -> HTML { .element(name, attributes, content) }

  static func tag(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:], _ text: String
  ) -> HTML { .element(name, attributes, [.text(text)]) }

  /// A link to an address of this server.
  static func link(_ address: PageAddress, _ text: String, class name: String? = nil) -> HTML {
    .tag("a", ["href": address.text, "class": name], text)
  }

  /// The markup.
  var text: String {
    var result = ""
    write(to: &result)
    return result
  }

  private func write(to result: inout String) {
    switch self {
    case .text(let text): Self.escape(text, into: &result)
    case .group(let parts): for part in parts { part.write(to: &result) }
    case .element(let name, let attributes, let content):
      result += "<\(name)"
      for (key, value) in attributes {
        guard let value else { continue }
        result += " \(key)"
        if value.isEmpty { continue }
        result += "=\""
        Self.escape(value, into: &result)
        result += "\""
      }
      result += ">"
      if Self.isVoid(name) { return }
      for part in content { part.write(to: &result) }
      result += "</\(name)>"
    }
  }

  /// Whether a text stands in markup as it is, so that a form sends it back unchanged.
  static func keeps(_ text: String) -> Bool {
    var escaped = ""
    escape(text, into: &escaped)
    return !escaped.unicodeScalars.contains("\u{FFFD}")
  }

  /// Writes a text so that nothing in it is markup, in elements and in attributes.
  private static func escape(_ text: String, into result: inout String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      // A browser drops or replaces these, each in its own way.
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{7F}"..."\u{9F}": result += "\u{FFFD}"
      // Characters that turn the direction of what follows stay within their text.
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isVoid(_ name: StaticString) -> Bool {
    ["meta", "link", "input", "br", "hr", "col", "img"].contains(name.description)
  }
}
