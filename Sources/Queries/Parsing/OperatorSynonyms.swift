internal import Modeling

/// Operators of other languages, and their equivalents in the format language.
enum OperatorSynonyms {
  /// Infix signs of other languages.
  static let foreignSigns: Set<String> = [
    "===", "!==", "=~", "~=", "!~", "<=>", "~", ":", "<<", ">>", "??", ":=", "%%",
  ]

  /// The operator that the user probably means.
  struct Meaning {
    var comparator: Comparator
    /// Its correct spelling, with options; empty if nothing is similar.
    var spelling: String
    /// Whether it takes no right operand.
    var isPostfix = false
    /// Whether it is only the most similar spelling.
    var isGuess = false
  }

  /// The operator that `words` probably mean.
  static func meaning(of words: String) -> Meaning {
    let key = words.uppercased()
    if let spelling = postfix[key] {
      return Meaning(comparator: spelling.hasPrefix("!") ? .notEqual : .equal, spelling: spelling, isPostfix: true)
    }
    if let spelling = synonyms[key] {
      let name = spelling.prefix { $0 != "[" }
      return Meaning(comparator: Comparator(rawValue: String(name)) ?? .equal, spelling: spelling)
    }
    let nearest = nearestName(to: key, in: Comparator.allCases.map(\.rawValue).filter { $0.first?.isLetter == true })
    return Meaning(
      comparator: nearest.flatMap(Comparator.init(rawValue:)) ?? .equal, spelling: nearest ?? "", isGuess: true)
  }

  private static let postfix = [
    "ISNULL": "== nil", "ISNIL": "== nil", "ISEMPTY": "== nil", "NOTNULL": "!= nil", "ISNOTNULL": "!= nil",
    "EXISTS": "!= nil",
  ]

  private static let synonyms = [
    "HASPREFIX": "BEGINSWITH", "STARTSWITH": "BEGINSWITH", "STARTS": "BEGINSWITH", "BEGINS": "BEGINSWITH",
    "PREFIX": "BEGINSWITH", "HASSUFFIX": "ENDSWITH", "ENDS": "ENDSWITH", "SUFFIX": "ENDSWITH",
    "INCLUDES": "CONTAINS", "HAS": "CONTAINS", "CONTAINED": "IN", "WITHIN": "IN", "OF": "IN",
    "ILIKE": "LIKE[c]", "GLOB": "LIKE", "SIMILAR": "LIKE", "~": "LIKE",
    "REGEXP": "MATCHES", "REGEX": "MATCHES", "RLIKE": "MATCHES", "MATCH": "MATCHES", "=~": "MATCHES", "~=": "MATCHES",
    "!~": "MATCHES", "IS": "==", "IS NOT": "!=", "EQ": "==", "EQUALS": "==", "EQUAL": "==", "===": "==", ":": "==",
    "<=>": "==", ":=": "==", ">>": ">", "<<": "<", "NE": "!=", "NEQ": "!=", "!==": "!=", "LT": "<", "LE": "<=",
    "LTE": "<=", "GT": ">",
    "GE": ">=", "GTE": ">=",
  ]
}
