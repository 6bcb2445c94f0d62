internal import Modeling
internal import Queries

// Functions that Apple's stores do not compute.
extension RefusalRule {
  static let functions = [statisticsFunction, ownFunction, dateArithmetic, ownCast]

  private static let statisticsFunction = RefusalRule(
    id: "statistics-function", severity: .refused, stores: [.sqlite],
    summary: "median, mode and stddev are functions of memory alone.",
    appleText: "Unsupported function expression",
    advice: "fetch the values and compute it from them"
  ) { subject in
    subject.expressions { expression, _ in
      expression.function.map { [.median, .mode, .stddev].contains($0) } ?? false
    }
      + subject.request.propertiesToFetch.filter { column in
        column.expression.function.map { [.median, .mode, .stddev].contains($0) } ?? false
      }.flatMap { subject.request("propertiesToFetch \($0.name)", where: true, at: $0.expression.origin) }
  }

  private static let ownFunction = RefusalRule(
    id: "own-function", severity: .refused, stores: [.sqlite, .memory, .swiftData],
    summary: "year, month, day, hour, minute, second, weekday, trim and round are functions of this language alone.",
    advice: "compare the date with the beginning and the end of the span, or keep a derived attribute"
  ) { subject in
    subject.expressions { expression, _ in expression.function.map(ownFunctions.contains) ?? false }
      + subject.request.propertiesToFetch.filter { $0.expression.contains(ownFunctions) }.flatMap {
        subject.request("propertiesToFetch \($0.name)", where: true, at: $0.expression.origin)
      }
  } mend: { predicate, _ in
    guard case .comparison(let comparison) = predicate else { return nil }
    return DateSpan(comparison)?.condition(comparison.comparator)
  }

  private static let ownFunctions: Set<ExpressionFunction> = [
    .year, .month, .day, .hour, .minute, .second, .weekday, .trim, .round,
  ]

  private static let dateArithmetic = RefusalRule(
    id: "date-arithmetic", severity: .refused, stores: [.sqlite, .memory],
    summary: "Dates are added to or subtracted from.",
    advice: "compute the date in Swift and give it with %@"
  ) { subject in
    subject.expressions { expression, scope in
      guard case .function(let function, let arguments, _) = expression, [.add, .subtract].contains(function)
      else { return false }
      return arguments.contains { scope.attributeType(of: $0) == .date }
    }
  }

  private static let ownCast = RefusalRule(
    id: "own-cast", severity: .refused, stores: [.sqlite, .memory, .swiftData],
    summary: "CAST is to a type that is not a class of Foundation: Integer, Double, Bool or JSON.",
    advice: "cast to \"NSNumber\", or leave the cast out"
  ) { subject in
    subject.expressions { expression, _ in
      guard case .cast(_, let type) = expression else { return false }
      return [.integer, .double, .bool, .json].contains(type)
    }
  }
}

extension Expression {
  var isTernary: Bool { if case .ternary = self { true } else { false } }

  /// The function that it calls.
  var function: ExpressionFunction? {
    if case .function(let function, _, _) = self { function } else { nil }
  }

  /// Whether one of the functions is called anywhere within.
  func contains(_ functions: Set<ExpressionFunction>) -> Bool {
    function.map(functions.contains) == true || children.contains { $0.contains(functions) }
  }
}
