internal import Modeling
internal import Queries

// What #Predicate has no words for, so that it does not compile.
extension RefusalRule {
  static let macros = [
    macroTextOperator, macroTextOptions, macroTextFunction, macroFunction, macroAggregate, macroElement,
  ]

  private static let macroTextOperator = RefusalRule(
    id: "macro-text-operator", severity: .refused, stores: [.swiftData],
    summary: "ENDSWITH and LIKE have no counterpart in #Predicate: hasSuffix does not compile.",
    advice: "use contains or starts(with:), and look closer at what was fetched"
  ) { subject in
    subject.comparisons { comparison, _ in comparison.comparator == .endsWith || comparison.comparator == .like }
  }

  private static let macroTextOptions = RefusalRule(
    id: "macro-text-options", severity: .refused, stores: [.swiftData],
    summary:
      "#Predicate ignores case and diacritics in localizedStandardContains, which is CONTAINS[cdl], and nowhere else but in ==[c] and <[c].",
    advice: "use CONTAINS[cdl], or keep a folded text beside the original"
  ) { subject in
    subject.comparisons { comparison, _ in needsOtherOptions(comparison) }
  } mend: { predicate, _ in
    guard case .comparison(var comparison) = predicate, comparison.comparator == .contains,
      comparison.options == [.caseInsensitive, .diacriticInsensitive]
    else { return nil }
    comparison.options.insert(.localeSensitive)
    return .comparison(comparison)
  }

  private static func needsOtherOptions(_ comparison: Comparison) -> Bool {
    if comparison.options.isEmpty { return false }
    switch comparison.comparator {
    case .contains: return comparison.options != [.caseInsensitive, .diacriticInsensitive, .localeSensitive]
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      return comparison.options != .caseInsensitive
    default: return true
    }
  }

  private static let macroTextFunction = RefusalRule(
    id: "macro-text-function", severity: .refused, stores: [.swiftData],
    summary: "lowercase, uppercase and canonical have no counterpart in #Predicate: lowercased does not compile.",
    advice: "use localizedStandardContains or caseInsensitiveCompare, or keep the text in lower case too"
  ) { subject in
    subject.expressions { expression, _ in
      expression.function.map { [.lowercase, .uppercase, .canonical].contains($0) } ?? false
    }
  }

  private static let macroFunction = RefusalRule(
    id: "macro-function", severity: .refused, stores: [.swiftData],
    summary: "#Predicate computes with +, -, * and / and no other function.",
    advice: "compute the constant side in Swift, or keep the value in an attribute"
  ) { subject in
    subject.expressions { expression, _ in expression.function.map(isWithoutCounterpart) ?? false }
  }

  private static func isWithoutCounterpart(_ function: ExpressionFunction) -> Bool {
    switch function {
    case .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .onesComplement, .leftShift, .rightShift, .abs, .floor, .ceiling,
      .trunc, .sqrt, .ln, .log, .exp, .noindex:
      true
    // Other rules report these.
    case .year, .month, .day, .hour, .minute, .second, .weekday, .trim, .round, .lowercase, .uppercase, .canonical,
      .count, .sum, .average, .min, .max, .median, .mode, .stddev:
      false
    case .add, .subtract, .multiply, .divide, .modulus, .negate, .now, .length, .entityName: false
    }
  }

  private static let macroAggregate = RefusalRule(
    id: "macro-aggregate", severity: .refused, stores: [.swiftData],
    summary: "A value of the elements is summed up: map and reduce do not compile.",
    advice: "count with filter, or keep the sum in an attribute"
  ) { subject in
    subject.expressions { expression, scope in
      switch expression {
      case .collection(let function, let source, let key):
        function != .count && (key != nil || scope.resolve(source)?.isToMany == true)
      case .function(let function, let arguments, _): function.isAggregate && arguments.count == 1
      default: false
      }
    }
  }

  private static let macroElement = RefusalRule(
    id: "macro-element", severity: .refused, stores: [.swiftData],
    summary: "An element is taken by its place: first, last and a subscript compile and have no SQL.",
    advice: "fetch the elements with a sort and a limit"
  ) { subject in
    subject.expressions { expression, _ in
      guard case .subscripted(_, let position) = expression else { return false }
      return position != .size
    }
  }
}
