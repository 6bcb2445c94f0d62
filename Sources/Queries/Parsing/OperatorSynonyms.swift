internal import Modeling

/// What people write who think of another language: the operator of the format language that they mean.
enum OperatorSynonyms {
  /// Signs that stand between two operands elsewhere.
  static let foreignSigns: Set<String> = [
    "===", "!==", "=~", "~=", "!~", "<=>", "~", ":", "<<", ">>", "??", ":=", "%%",
  ]

  /// The operator meant by `words`, its right spelling, and whether it takes no right operand.
  static func meaning(of words: String) -> (comparator: Comparator, spelling: String, isPostfix: Bool) {
    let key = words.uppercased()
    if let spelling = postfix[key] { return (key.contains("NOT") ? .notEqual : .equal, spelling, true) }
    if let spelling = synonyms[key] {
      let name = spelling.prefix { $0 != "[" }
      return (Comparator(rawValue: String(name)) ?? .equal, spelling, false)
    }
    let nearest = nearestName(to: key, in: Comparator.allCases.map(\.rawValue).filter { $0.first?.isLetter == true })
    return (nearest.flatMap(Comparator.init(rawValue:)) ?? .equal, nearest ?? "==", false)
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
    "<=>": "==", ":=": "==", "NE": "!=", "NEQ": "!=", "!==": "!=", "LT": "<", "LE": "<=", "LTE": "<=", "GT": ">",
    "GE": ">=", "GTE": ">=",
  ]
}
