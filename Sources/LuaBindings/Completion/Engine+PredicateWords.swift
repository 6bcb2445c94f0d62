internal import Queries

// The functions of the predicate language, for help.
extension Engine {
  /// The names of all functions in expressions.
  public var predicateFunctionNames: [String] {
    ExpressionFunction.callableNames.filter { $0.allSatisfy { $0.isLetter || $0.isNumber } }.sorted()
  }

  /// The call of a function; nil for an unknown name.
  public func predicateFunctionSignature(_ name: String) -> String? {
    guard let known = ExpressionFunction.callableNames.first(where: { $0.lowercased() == name.lowercased() }) else {
      return nil
    }
    return known.hasSuffix(":") || known.contains(":") ? known : "\(known)(…)"
  }
}
