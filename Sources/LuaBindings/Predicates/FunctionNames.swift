internal import Queries

/// The functions of the predicate language, for help and completion.
public enum FunctionNames {
  /// The names of all functions in expressions, sorted.
  public static var all: [String] {
    ExpressionFunction.callableNames.filter { $0.allSatisfy { $0.isLetter || $0.isNumber } }.sorted()
  }

  /// The call of a function; nil for an unknown name.
  public static func signature(_ name: String) -> String? {
    guard let known = ExpressionFunction.callableNames.first(where: { $0.lowercased() == name.lowercased() }) else {
      return nil
    }
    return known.hasSuffix(":") || known.contains(":") ? known : "\(known)(…)"
  }
}
