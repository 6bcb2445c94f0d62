/// A word, sign or literal of a format string with its range.
struct Token {
  /// The kinds of tokens; literals are without their quotes and escapes.
  enum Kind: Hashable {
    /// A key, keyword or function name; function names may contain colons, as in `add:to:`.
    case word(String)
    /// A key written with `#`, never a keyword.
    case escapedKey(String)
    /// `$name`, without the dollar sign.
    case variable(String)
    /// A collection operator such as `@count`, with the at sign.
    case collectionOperator(String)
    /// `%@`, `%K`, `%ld`: the text after the percent sign, and the placeholder's number in the text.
    case placeholder(String, ordinal: Int)
    case string(String)
    /// The digits as written, with base prefix, point and exponent.
    case number(String)
    case sign(String)
    case end
  }

  var kind: Kind
  /// UTF-8 offsets.
  var range: Range<Int>

  /// The word in upper case, for comparison with keywords; nil for a token that cannot be a keyword.
  var keyword: String? {
    if case .word(let word) = kind { word.uppercased() } else { nil }
  }
}

/// The words that are keys only if escaped with `#`.
///
/// The list is Apple's ("Predicate Format String Syntax", reserved words); case is ignored.
let reservedWords: Set<String> = [
  "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI", "MATCHES", "CONTAINS",
  "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST", "SIZE",
  "ANYKEY", "SUBQUERY", "FETCH", "CAST", "TRUEPREDICATE", "FALSEPREDICATE", "UTI-CONFORMS-TO", "UTI-EQUALS",
]
