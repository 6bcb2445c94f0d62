internal import Modeling

/// Texts in Markdown, which editors show.
enum Markdown {
  /// A text as code, also where a backtick is in it.
  static func code(_ text: String) -> String {
    let line = text.replacing("\n", with: " ")
    guard line.contains("`") else { return "`\(line)`" }
    return "`` \(line) ``"
  }

  /// A text in which the signs of Markdown mean themselves.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if "\\`*_[]<>#|".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }

  /// A text as the protocol marks it.
  static func json(_ text: String) -> JSON { .object(["kind": .string("markdown"), "value": .string(text)]) }
}
