internal import Presentation

/// Prompts as readline wants them.
enum PromptText {
  /// `prompt` with its colours between \1 and \2, so that readline does not count them as columns, and with pictures for
  /// all other control characters: the names of stores come from outside.
  static func marked(_ prompt: String, _ charset: Charset = .utf8) -> String {
    var marked = ""
    var rest = prompt[...]
    while let colour = rest.firstMatch(of: /\u{1B}\[[0-9;]*m/) {
      marked += DisplayText.picturingControls(in: String(rest[..<colour.range.lowerBound]), charset)
      marked += "\u{1}" + colour.output + "\u{2}"
      rest = rest[colour.range.upperBound...]
    }
    return marked + DisplayText.picturingControls(in: String(rest), charset)
  }
}
