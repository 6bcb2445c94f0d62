internal import Modeling

/// Operators of other languages, and the operators of the format language that they mean.
enum OperatorSynonyms {
  /// Signs that stand between two operands elsewhere.
  static let foreignSigns: Set<String> = [
    "===", "!==", "=~", "~=", "!~", "<=>", "~", ":", "<<", ">>", "??", ":=", "%%",
  ]

  /// An operator that was meant.
  struct Meaning {
    var comparator: Comparator
    /// Its right spelling, with options; empty where nothing is near.
    var spelling: String
    /// Whether it takes no right operand.
    var isPostfix = false
    /// Whether it is only the one spelt most like what was written.
    var isGuess = false
  }

  /// The operator meant by `words`.
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
