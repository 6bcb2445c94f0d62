/// The functions and arithmetic operators of expressions; the raw value is the canonical name.
///
/// Only the parser looks functions up by name; trees contain the function itself.
///
///     Expression.call(.year, .path(PropertyPath(["time"])))     // year(time)
///     ExpressionFunction(named: "add:to:")                      // .add
///
/// To add one: a case here, its `signature` in FunctionSignature.swift, its evaluation in an extension, and its SQL in
/// Storage; the compiler lists the last three.
public enum ExpressionFunction: String, CaseIterable, Hashable, Sendable {
  // Arithmetic, printed as operators where the format language has them.
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case power = "**"
  case negate
  case modulus = "modulus:by:"
  case bitwiseAnd = "&"
  case bitwiseOr = "|"
  case bitwiseXor = "^"
  case onesComplement = "onescomplement:"
  case leftShift = "leftshift:by:"
  case rightShift = "rightshift:by:"
  // Dates, all in UTC.
  case year
  case month
  case day
  case hour
  case minute
  case second
  case weekday
  case now
  // Text
  case lowercase
  case uppercase
  case canonical
  case length
  case trim
  // Numbers
  case abs
  case floor
  case ceiling
  case round
  case trunc
  case sqrt
  case ln
  case log
  case exp
  // Over a collection, or over the rows of a group.
  case count
  case sum
  case average
  case min
  case max
  case median
  case mode
  case stddev
  /// Returns its argument, and keeps SQLite from using an index for it.
  case noindex
  /// The name of the entity of an object.
  case entityName

  /// Finds a function by any of its spellings: canonical, Apple's selector (`raise:toPower:`, `count:`) or a usual
  /// short form; case is ignored.
  public init?(named name: String) {
    let key = name.lowercased()
    let plain = key.hasSuffix(":") && key.filter { $0 == ":" }.count == 1 ? String(key.dropLast()) : key
    guard let function = Self.byName[key] ?? Self.byName[plain] else { return nil }
    self = function
  }

  /// The spellings other than the canonical one.
  public var aliases: [String] {
    switch self {
    case .add: ["add:to:"]
    case .subtract: ["from:subtract:"]
    case .multiply: ["multiply:by:"]
    case .divide: ["divide:by:"]
    case .power: ["raise:topower:", "power", "pow"]
    case .modulus: ["modulus", "mod"]
    case .bitwiseAnd: ["bitwiseand:with:"]
    case .bitwiseOr: ["bitwiseor:with:"]
    case .bitwiseXor: ["bitwisexor:with:"]
    case .onesComplement: ["onescomplement"]
    case .lowercase: ["lowercasestring"]
    case .uppercase: ["uppercasestring"]
    case .ceiling: ["ceil"]
    case .average: ["avg"]
    default: []
    }
  }

  /// The precedence of an infix operator, from 1, the loosest, to 6; nil for a function that is called by its name.
  public var precedence: Int? {
    switch self {
    case .bitwiseOr: 1
    case .bitwiseXor: 2
    case .bitwiseAnd: 3
    case .add, .subtract: 4
    case .multiply, .divide: 5
    case .power: 6
    default: nil
    }
  }

  /// Whether it is printed as an infix operator.
  public var isInfix: Bool { precedence != nil }

  /// Whether it can be called with `count` arguments.
  public func accepts(count: Int) -> Bool { signature.accepts(count: count) }

  /// Whether it reduces many values to one: those of a collection, or of the rows of a group.
  public var isAggregate: Bool {
    switch self {
    case .count, .sum, .average, .min, .max, .median, .mode, .stddev: true
    default: false
    }
  }

  /// The names of functions that are called with parentheses, for completion and for suggestions.
  public static let callableNames: [String] = allCases.filter { !$0.isInfix && $0 != .negate }.map(\.rawValue)

  private static let byName: [String: ExpressionFunction] = {
    var names: [String: ExpressionFunction] = [:]
    for function in allCases {
      for name in [function.rawValue] + function.aliases { names[name.lowercased()] = function }
    }
    return names
  }()
}

extension Expression {
  /// Creates a call of `function`.
  public static func call(_ function: ExpressionFunction, _ arguments: Expression..., at origin: Origin? = nil)
    -> Expression
  {
    .function(function, arguments, origin)
  }
}
