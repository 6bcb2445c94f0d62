internal import Modeling
internal import Queries
internal import SwiftParsing

// The types of variables, which are those of the properties that they are compared with.
extension FormatSourcePrinter {
  /// The types of a predicate's variables, as far as its comparisons show them.
  static func variableTypes(of predicate: Queries.Predicate, in entity: Entity?) -> [String: SwiftType] {
    var printer = FormatSourcePrinter(entity: entity, isCapturing: false)
    printer.collectTypes(predicate)
    return printer.variableTypes
  }

  /// Records the types of variables; a second pass knows those that the first found.
  mutating func collectTypes(_ predicate: Queries.Predicate) {
    for _ in 0..<2 { collect(predicate) }
  }

  private mutating func collect(_ predicate: Queries.Predicate) {
    switch predicate {
    case .constant: break
    case .and(let terms), .or(let terms): for term in terms { collect(term) }
    case .not(let inner): collect(inner)
    case .expression(let expression):
      record(expression, .bool)
      collect(expression)
    case .comparison(let comparison):
      let isIn = comparison.comparator == .in
      if let left = type(of: comparison.left) { record(comparison.right, isIn ? .list(left) : left) }
      if let right = type(of: comparison.right) {
        if isIn, case .list(let element) = right { record(comparison.left, element) }
        if !isIn { record(comparison.left, right) }
      }
      collect(comparison.left)
      collect(comparison.right)
    }
  }

  private mutating func record(_ expression: Queries.Expression, _ type: SwiftType) {
    guard case .variable(let name, _) = expression, scope[name] == nil, variableTypes[name] == nil else { return }
    variableTypes[name] = type
  }

  private mutating func collect(_ expression: Queries.Expression) {
    switch expression {
    case .function(.length, let arguments, _) where arguments.count == 1: record(arguments[0], .string)
    case .ternary(let predicate, _, _): collect(predicate)
    case .subquery(let source, let name, let predicate):
      let outer = scope
      scope[name] = self.entity(of: source)
      collect(predicate)
      scope = outer
    default: break
    }
    for child in expression.children { collect(child) }
  }
}

extension Queries.Predicate {
  /// The predicate without tests of variables for nil: printed, they are parameters that are never nil.
  var withoutNilTestsOfVariables: Queries.Predicate {
    switch self {
    case .constant, .expression: return self
    case .not(let inner):
      let inner = inner.withoutNilTestsOfVariables
      if case .constant(let flag) = inner { return .constant(!flag) }
      return .not(inner)
    case .and(let terms): return Self.joined(terms, isConjunction: true)
    case .or(let terms): return Self.joined(terms, isConjunction: false)
    case .comparison(let comparison):
      guard comparison.modifier == .direct, case .variable = comparison.left, comparison.right.constantValue == .null
      else { return self }
      switch comparison.comparator {
      case .equal: return .constant(false)
      case .notEqual: return .constant(true)
      default: return self
      }
    }
  }

  private static func joined(_ terms: [Queries.Predicate], isConjunction: Bool) -> Queries.Predicate {
    let simple = terms.map(\.withoutNilTestsOfVariables)
    if simple == terms { return isConjunction ? .and(terms) : .or(terms) }
    if simple.contains(.constant(!isConjunction)) { return .constant(!isConjunction) }
    let rest = simple.filter { $0 != .constant(isConjunction) }
    guard let first = rest.first else { return .constant(isConjunction) }
    return rest.dropFirst().reduce(first) { isConjunction ? $0 & $1 : $0 | $1 }
  }
}

extension Value {
  /// The objects that it is, or that it is a list of; nil for any other value.
  var objects: [ObjectID]? {
    switch self {
    case .object(let id): return [id]
    case .list(let values):
      let ids = values.compactMap { if case .object(let id) = $0 { id } else { nil } }
      return ids.count == values.count && !ids.isEmpty ? ids : nil
    default: return nil
    }
  }
}
