/// Pieces of Lua source.
package enum LuaSource {
  private static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  /// Whether a text is a name in Lua.
  package static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !keywords.contains(text) else { return false }
    func isLetter(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    return isLetter(first) && text.utf8.allSatisfy { isLetter($0) || $0.isDecimalDigit }
  }

  /// A text as a literal.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\0": result += "\\0"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Source in long brackets.
  static func bracketed(_ source: String) -> String {
    var level = ""
    while source.contains("]\(level)]") { level += "=" }
    // A bracket at the end of the text would otherwise pair with the first closing bracket.
    let end = source.hasSuffix("]") ? " " : ""
    return "[\(level)[\(source.hasPrefix("\n") ? "\n" : "")\(source)\(end)]\(level)]"
  }

  /// Lines, each indented by two spaces more.
  static func indented(_ lines: [String]) -> [String] {
    // The lines of long strings are their content.
    lines.map { line in line.contains("\n") ? "  " + line : line.isEmpty ? line : "  " + line }
  }
}
