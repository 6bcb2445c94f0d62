/// A word, name, text or sign of SQL that is being typed.
package struct SQLToken: Equatable {
  package enum Kind: Equatable {
    case word
    /// A name in double quotes, brackets or backticks.
    case quotedName
    case sign
    /// A text or number.
    case constant
  }

  package var kind: Kind
  /// The text, without the quotes of a name.
  package var text: String
  /// Where it begins in the text that it was read from.
  package var start: String.Index

  /// The word in capitals, for comparing keywords; empty if it is not a word.
  package var keyword: String { kind == .word ? text.uppercased() : "" }
  package var isName: Bool { kind == .word || kind == .quotedName }
  package func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }

  /// The tokens of a text; nil if it ends within a quoted text or a comment.
  package static func tokens(of text: String) -> [SQLToken]? {
    var tokens: [SQLToken] = []
    var rest = Substring(text)
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if rest.hasPrefix("--") {
        guard let end = rest.firstIndex(where: \.isNewline) else { return nil }
        rest = rest[end...]
      } else if rest.hasPrefix("/*") {
        guard let end = rest.firstRange(of: "*/") else { return nil }
        rest = rest[end.upperBound...]
      } else if let closing = closings[first] {
        guard let end = rest.dropFirst().firstIndex(of: closing) else { return nil }
        let content = String(rest[rest.index(after: rest.startIndex)..<end])
        tokens.append(SQLToken(kind: first == "'" ? .constant : .quotedName, text: content, start: rest.startIndex))
        rest = rest[rest.index(after: end)...]
      } else if isPart(first) {
        let word = rest.prefix(while: isPart)
        tokens.append(SQLToken(kind: first.isNumber ? .constant : .word, text: String(word), start: rest.startIndex))
        rest = rest[word.endIndex...]
      } else {
        tokens.append(SQLToken(kind: .sign, text: String(first), start: rest.startIndex))
        rest.removeFirst()
      }
    }
    return tokens
  }

  /// Whether a character may stand in a name without quotes.
  package static func isPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "$"
  }

  private static let closings: [Character: Character] = ["'": "'", "\"": "\"", "`": "`", "[": "]"]
}
