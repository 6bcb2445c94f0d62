internal import Modeling

/// Members of other languages that follow a point, and their equivalents in the format language.
enum KeySynonyms {
  /// Names of collection operators in other languages.
  static let collectionOperators = [
    "@average": "@avg", "@mean": "@avg", "@length": "@count", "@size": "@count", "@total": "@sum", "@minimum": "@min",
    "@maximum": "@max", "@distinct": "@distinctUnionOfObjects", "@unique": "@distinctUnionOfObjects",
    "@union": "@unionOfObjects",
  ]

  /// The call that is the equivalent of another language's key: `length(name)` for `name.length`.
  static func call(for key: String, of expression: Expression) -> String? {
    functions[key.lowercased()].map { "\($0.rawValue)(\(expression.format))" }
  }

  /// The function that is the equivalent of another language's key for values of the type.
  static func function(for key: String, of type: AttributeType) -> ExpressionFunction? {
    guard let function = functions[key.lowercased()] else { return nil }
    let fits =
      switch function.signature.operand {
      case .number: type.isNumeric
      case .text: type.isTextual
      case .date: type == .date
      case .anything, .collection, .object: false
      }
    return fits ? function : nil
  }

  /// Returns the aggregate that is the equivalent of another language's key of many objects: `reports.@count` for
  /// `reports.count`.
  static func aggregate(for key: String, of path: String) -> String? {
    switch key.lowercased() {
    case "count", "length", "size": "\(path).@count"
    case "first", "firstobject": "\(path)[FIRST]"
    case "last", "lastobject": "\(path)[LAST]"
    case "isempty": "\(path).@count == 0"
    default: nil
    }
  }

  /// Returns the equivalent of another language's method, written for `expression`.
  static func meaning(ofMethod name: String, of expression: Expression) -> String? {
    let text = expression.format
    switch name.lowercased() {
    case "contains", "includes", "localizedcasesensitivecontains": return "\(text) CONTAINS …"
    case "localizedstandardcontains", "localizedcaseinsensitivecontains": return "\(text) CONTAINS[cd] …"
    case "hasprefix", "startswith", "starts": return "\(text) BEGINSWITH …"
    case "hassuffix", "endswith", "ends": return "\(text) ENDSWITH …"
    case "matches", "match", "wholematch", "test": return "\(text) MATCHES …"
    case "equals", "isequal", "isequaltostring": return "\(text) == …"
    case "count", "size": return "\(text).@count"
    case "filter", "where", "some", "any": return "SUBQUERY(\(text), $x, …).@count > 0"
    case "every", "allsatisfy": return "SUBQUERY(\(text), $x, NOT …).@count == 0"
    case "sum", "min", "max", "avg", "average":
      let function = name.lowercased() == "average" ? "avg" : name.lowercased()
      return "\(text).@\(function).…"
    default: return call(for: name, of: expression)
    }
  }

  private static let functions: [String: ExpressionFunction] = [
    "length": .length, "count": .length, "len": .length, "size": .length, "lowercase": .lowercase,
    "lowercased": .lowercase, "lowercasestring": .lowercase, "tolowercase": .lowercase, "lower": .lowercase,
    "uppercase": .uppercase, "uppercased": .uppercase, "uppercasestring": .uppercase, "touppercase": .uppercase,
    "upper": .uppercase, "trim": .trim, "trimmed": .trim, "year": .year, "month": .month, "day": .day, "hour": .hour,
    "minute": .minute, "second": .second, "weekday": .weekday, "abs": .abs, "round": .round, "rounded": .round,
    "floor": .floor, "ceil": .ceiling,
  ]
}
