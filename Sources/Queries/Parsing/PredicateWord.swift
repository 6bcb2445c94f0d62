public import Modeling

/// A word, sign or literal of a predicate's text with its range, for syntax highlighting.
///
///     PredicateWord.words(of: "ANY books.title == %@").map(\.kind)
///     // [.keyword, .property, .sign, .property, .keyword, .placeholder]
///
/// Reading never fails: a text with errors has words, too.
public struct PredicateWord: Hashable, Sendable {
  /// The kinds of words.
  public enum Kind: Hashable, Sendable {
    /// A reserved word, an operator or its options, a constant such as TRUE, or a collection operator such as `@count`.
    case keyword
    case property
    /// A name before a parenthesis.
    case function
    case string
    case number
    /// `%@` or `$name`.
    case placeholder
    /// A bracket, a comma, a point.
    case sign
  }

  /// The word's kind.
  public let kind: Kind
  /// The word's range in bytes of UTF-8.
  public let range: Range<Int>

  private static let punctuation: Set<String> = ["(", ")", "[", "]", "{", "}", ",", ".", ":"]
  private static let options: Set<String> = ["c", "d", "n", "l", "cd", "dc", "cn", "dn", "cdn", "cdl"]

  /// The words of `text`, in order.
  public static func words(of text: String) -> [PredicateWord] {
    var lexer = Lexer(text)
    let tokens = lexer.tokenize()
    return tokens.indices.dropLast().map { index in
      PredicateWord(kind: kind(of: index, in: tokens), range: tokens[index].range)
    }
  }

  private static func kind(of index: Int, in tokens: [Token]) -> Kind {
    func isSign(_ place: Int, _ sign: String) -> Bool {
      tokens.indices.contains(place) && tokens[place].kind == .sign(sign)
    }
    switch tokens[index].kind {
    case .escapedKey: return .property
    case .variable, .placeholder: return .placeholder
    case .collectionOperator: return .keyword
    case .string: return .string
    case .number: return .number
    case .sign(let sign): return punctuation.contains(sign) ? .sign : .keyword
    case .end: return .sign
    case .word(let word):
      if isSign(index - 1, ".") { return isSign(index + 1, "(") ? .function : .property }
      if reservedWords.contains(word.uppercased()) { return .keyword }
      // Options, as in CONTAINS[cd], and not an index, as in path[name].
      if isSign(index - 1, "["), isSign(index + 1, "]"), options.contains(word.lowercased()), index > 1,
        kind(of: index - 2, in: tokens) == .keyword
      {
        return .keyword
      }
      return isSign(index + 1, "(") ? .function : .property
    }
  }
}

extension PredicateWord {
  /// The ranges of the names in `text` that an entity does not have, in bytes of UTF-8.
  public static func unknownNames(in text: String, of entity: Entity) -> [Range<Int>] {
    Predicate.diagnose(text, in: entity).issues.compactMap { issue in
      switch issue.fact {
      case .unknownProperty, .unquotedText, .propertyOfSubentity: issue.origin?.range
      default: nil
      }
    }
  }
}
