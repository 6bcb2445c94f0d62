/// Prompts as readline wants them.
enum PromptText {
  /// `prompt` with its colours between \1 and \2, so that readline does not count them as columns.
  static func marked(_ prompt: String) -> String {
    var marked = ""
    var rest = prompt[...]
    while let start = rest.firstIndex(of: "\u{1B}") {
      marked += rest[..<start]
      let end = rest[start...].dropFirst(2).firstIndex { $0.isLetter }.map(rest.index(after:)) ?? rest.endIndex
      marked += "\u{1}" + rest[start..<end] + "\u{2}"
      rest = rest[end...]
    }
    return marked + rest
  }
}
