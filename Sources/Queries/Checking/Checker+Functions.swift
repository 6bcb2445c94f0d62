internal import Modeling

extension Checker {
  /// The type of a call; reports wrong operands.
  mutating func type(
    of function: ExpressionFunction, _ arguments: [Expression], at origin: Origin?
  ) -> ExpressionType {
    let signature = function.signature
    guard signature.accepts(count: arguments.count) else {
      report(
        .wrongArgumentCount(
          function: function.rawValue, expected: signature.expectedCount, given: arguments.count), at: origin)
      return .unknown
    }
    if function.isAggregate { return type(ofAggregate: function, arguments) }
    var types: [ExpressionType] = []
    for argument in arguments { types.append(scalar(argument)) }
    if let dates = dateArithmetic(function, types) { return dates }
    for (argument, type) in zip(arguments, types) where !signature.operand.accepts(type) {
      report(
        .wrongOperand(
          function: function.rawValue, expected: signature.operand.name, found: describe(argument, type),
          instead: argument.cast(from: type, to: signature.operand)),
        at: argument.origin ?? origin)
      return function.resultType(of: [.unknown])
    }
    return function.resultType(of: types)
  }

  /// The type of date arithmetic: the seconds between two dates, or a date some seconds later; nil for anything else.
  private func dateArithmetic(_ function: ExpressionFunction, _ types: [ExpressionType]) -> ExpressionType? {
    guard function == .add || function == .subtract else { return nil }
    let (left, right) = (types[0], types[1])
    // With a nil or a variable, the result of a date may be either.
    let isOpen = [left, right].contains { $0 == .null || $0 == .unknown }
    if isOpen, left.isDate, right.isDate { return .unknown }
    switch (left, right) {
    case (.value(.date), .value(.date)): return function == .subtract ? .value(.double) : nil
    case (.value(.date), _): return right.isNumber ? .value(.date) : nil
    case (_, .value(.date)): return function == .add && left.isNumber ? .value(.date) : nil
    default: return nil
    }
  }

  /// The type of a function over a collection, several values, or the rows of a group.
  private mutating func type(ofAggregate function: ExpressionFunction, _ arguments: [Expression]) -> ExpressionType {
    var element: ExpressionType
    if arguments.count == 1 {
      let type = type(of: arguments[0])
      switch type {
      case .collection(let inner): element = inner
      case .unknown: return function.resultType(of: [.unknown])
      default:
        guard overGroup else {
          report(
            .wrongOperand(
              function: function.rawValue, expected: "a collection or several values",
              found: describe(arguments[0], type)),
            at: arguments[0].origin)
          return function.resultType(of: [.unknown])
        }
        element = type
      }
    } else {
      var types: [ExpressionType] = []
      for argument in arguments { types.append(scalar(argument)) }
      element = ExpressionType.common(types)
    }
    let isRight = function.needsNumbers ? element.isNumber : function == .count || element.isOrdered
    if !isRight {
      report(
        .wrongOperand(
          function: function.rawValue, expected: function.needsNumbers ? "numbers" : "values with an order",
          found: describe(arguments[0], element)),
        at: arguments[0].origin)
      element = .unknown
    }
    return function.resultType(ofElements: element)
  }
}

extension Expression {
  /// The cast that makes a text of the store fit a function's operand; nil if there is none.
  fileprivate func cast(from type: ExpressionType, to operand: FunctionSignature.Operand) -> String? {
    guard constantValue == nil, type == .value(.string) else { return nil }
    switch operand {
    case .date: return Expression.cast(self, to: .date).description
    case .number: return Expression.cast(self, to: .number).description
    case .text, .anything, .collection, .object: return nil
    }
  }
}

extension FunctionSignature.Operand {
  fileprivate func accepts(_ type: ExpressionType) -> Bool {
    switch self {
    case .number: type.isNumber
    case .text: type.isText
    case .date: type.isDate
    case .anything, .collection: true
    case .object:
      switch type {
      case .object, .unknown, .null: true
      case .value, .collection: false
      }
    }
  }

  fileprivate var name: String {
    switch self {
    case .number: "a number"
    case .text: "a text"
    case .date: "a date"
    case .anything: "a value"
    case .collection: "a collection"
    case .object: "an object"
    }
  }
}

extension ExpressionFunction {
  /// Whether it computes with its collection's elements as numbers.
  fileprivate var needsNumbers: Bool {
    switch self {
    case .sum, .average, .median, .stddev: true
    default: false
    }
  }

  /// The type of the result for operands of these types.
  func resultType(of operands: [ExpressionType]) -> ExpressionType {
    switch signature.result {
    case .integer: return .value(.integer64)
    case .double: return .value(.double)
    case .text: return .value(.string)
    case .date: return .value(.date)
    case .operand: break
    }
    if self == .noindex { return operands[0] }
    var types: [AttributeType] = []
    for operand in operands {
      guard case .value(let type) = operand else { return .unknown }
      types.append(type)
    }
    let first = types.first ?? .integer64
    return .value(types.dropFirst().reduce(.arithmeticResult(first, first)) { .arithmeticResult($0, $1) })
  }

  /// The type of an aggregate over elements of this type.
  func resultType(ofElements element: ExpressionType) -> ExpressionType {
    switch self {
    case .min, .max, .mode: return element
    case .average, .median:
      guard case .value(.decimal) = element else { return .value(.double) }
      return element
    default: return resultType(of: [element])
    }
  }
}
