/// A word, sign or literal of a format string and where it stands.
struct Token {
  /// What was read; literals are already without their quotes and escapes.
  enum Kind: Hashable {
    /// A key, keyword or function name; function names may hold colons, as in `add:to:`.
    case word(String)
    /// A key written with `#`, never a keyword.
    case escapedKey(String)
    /// `$name`, without the sign.
    case variable(String)
    /// `@count` and its like, with the sign.
    case collectionOperator(String)
    /// `%@`, `%K`, `%ld`: what follows the percent sign, and which placeholder of the text it is.
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

  /// The word in upper case, as keywords are compared; nil for what cannot be one.
  var keyword: String? {
    if case .word(let word) = kind { word.uppercased() } else { nil }
  }
}

/// The words that are no keys unless escaped with `#`.
///
/// The list is Apple's ("Predicate Format String Syntax", reserved words); case does not matter.
let reservedWords: Set<String> = [
  "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI", "MATCHES", "CONTAINS",
  "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST", "SIZE",
  "ANYKEY", "SUBQUERY", "FETCH", "CAST", "TRUEPREDICATE", "FALSEPREDICATE", "UTI-CONFORMS-TO", "UTI-EQUALS",
]
