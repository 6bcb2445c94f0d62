/// The operand types and the result type of a function.
struct FunctionSignature {
  /// The kinds of operands.
  enum Operand {
    case number
    case text
    case date
    case anything
    /// A collection, or several values.
    case collection
    /// An object: SELF, a variable, or the destination of a to-one relationship.
    case object
  }

  /// The type of the result.
  enum Result {
    case integer
    case double
    case text
    case date
    /// The operands' type: see `Checker`.
    case operand
  }

  var operand: Operand
  var counts: ClosedRange<Int>
  var result: Result

  func accepts(count: Int) -> Bool { counts.contains(count) }

  /// The number of arguments, in words.
  var expectedCount: String {
    if counts.upperBound == .max { return "\(counts.lowerBound) or more" }
    return counts.lowerBound == counts.upperBound
      ? "\(counts.lowerBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
  }
}

extension ExpressionFunction {
  /// The signature of the function.
  var signature: FunctionSignature {
    switch self {
    case .add, .subtract, .multiply, .divide, .modulus:
      FunctionSignature(operand: .number, counts: 2...2, result: .operand)
    case .power: FunctionSignature(operand: .number, counts: 2...2, result: .double)
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift:
      FunctionSignature(operand: .number, counts: 2...2, result: .integer)
    case .onesComplement: FunctionSignature(operand: .number, counts: 1...1, result: .integer)
    case .negate, .abs, .floor, .ceiling, .round, .trunc:
      FunctionSignature(operand: .number, counts: 1...1, result: .operand)
    case .sqrt, .ln, .log, .exp: FunctionSignature(operand: .number, counts: 1...1, result: .double)
    case .year, .hour, .minute, .second, .weekday:
      FunctionSignature(operand: .date, counts: 1...1, result: .integer)
    case .month, .day: FunctionSignature(operand: .date, counts: 1...1, result: .text)
    case .now: FunctionSignature(operand: .anything, counts: 0...0, result: .date)
    case .lowercase, .uppercase, .canonical, .trim:
      FunctionSignature(operand: .text, counts: 1...1, result: .text)
    case .length: FunctionSignature(operand: .text, counts: 1...1, result: .integer)
    case .count: FunctionSignature(operand: .collection, counts: 1...Int.max, result: .integer)
    case .average, .stddev: FunctionSignature(operand: .collection, counts: 1...Int.max, result: .double)
    case .sum, .min, .max, .median, .mode:
      FunctionSignature(operand: .collection, counts: 1...Int.max, result: .operand)
    case .entityName: FunctionSignature(operand: .object, counts: 1...1, result: .text)
    case .noindex: FunctionSignature(operand: .anything, counts: 1...1, result: .operand)
    }
  }
}
