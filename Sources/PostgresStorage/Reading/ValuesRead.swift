import Modeling
import Queries

/// How much of a date a function reads.
enum DateDetail: Int {
  case year, month, day, hour, minute, second, whole

  /// The detail that a function reads of its argument; nil for one that takes no date.
  init?(_ function: ExpressionFunction) {
    switch function {
    case .year: self = .year
    case .month: self = .month
    case .day, .weekday: self = .day
    case .hour: self = .hour
    case .minute: self = .minute
    case .second: self = .second
    default: return nil
    }
  }

  /// The unit of time, as SQL names it; nil for the whole date.
  var unit: String? {
    switch self {
    case .year: "year"
    case .month: "month"
    case .day: "day"
    case .hour: "hour"
    case .minute: "minute"
    case .second: "second"
    case .whole: nil
    }
  }
}

/// The values from which an expression or a predicate is computed, where these are values of a row and of to-ones'
/// destinations alone.
struct ValuesRead {
  /// The paths of the values, and how much of dates is read.
  private(set) var details: [PropertyPath: DateDetail] = [:]

  /// Nil for an expression that asks for an object, for members of a to-many or for parts of a value.
  init?(_ expression: Expression) { if !add(expression) { return nil } }

  /// The same for a predicate.
  init?(_ predicate: Predicate) { if !add(predicate) { return nil } }

  private mutating func add(_ predicate: Predicate) -> Bool {
    switch predicate {
    case .constant: true
    case .and(let parts), .or(let parts): parts.allSatisfy { add($0) }
    case .not(let part): add(part)
    case .comparison(let comparison):
      comparison.modifier == .direct && add(comparison.left) && add(comparison.right)
    case .expression(let expression): add(expression)
    }
  }

  private mutating func add(_ expression: Expression) -> Bool {
    switch expression {
    case .constant, .argument: return true
    case .path(let path):
      details[path] = .whole
      return true
    case .function(.entityName, _, _): return false
    case .function(let function, let arguments, _):
      if let detail = DateDetail(function), case .path(let path)? = arguments.first {
        if details[path].map({ $0.rawValue < detail.rawValue }) ?? true { details[path] = detail }
        return true
      }
      return arguments.allSatisfy { add($0) }
    case .aggregate(let elements): return elements.allSatisfy { add($0) }
    case .ternary(let condition, let first, let second): return add(condition) && add(first) && add(second)
    case .cast(let operand, _): return add(operand)
    case .object, .variable, .variablePath, .collection, .subscripted, .subquery: return false
    }
  }
}
