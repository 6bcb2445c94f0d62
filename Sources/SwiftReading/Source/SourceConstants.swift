internal import Modeling
internal import Queries
internal import SwiftParsing

/// What the names that were declared before a predicate stand for.
struct SourceConstants {
  enum Constant {
    case value(Value)
    case range(Value?, Value?, isClosed: Bool)
    case pattern(String)
    /// `ComparisonResult.orderedSame` and its like.
    case ordering(Comparator)
    case predicate(SourcePredicate)
    /// The closure of `#Expression`.
    case expression(ClosureSyntax)
    case request(FetchRequest)
    /// The elements of a list of predicates.
    case predicates([SourcePredicate])
    /// The elements of a list of sort descriptors; their meaning depends on the request's entity.
    case sortKeys([SwiftSyntax])
    case transaction(SourceTransaction)
    case entity(Entity)
    case column(SourceColumn)
    /// `NSExpression(forKeyPath: ...)`
    case columnExpression(Expression)
    /// A variable of another name, as `if let text = query` binds one.
    case variable(String)
  }

  private var constants: [String: Constant] = [:]
  /// The types that are written for constants.
  var declared: [String: String] = [:]
  /// The source, in which interpolated values stand.
  private let bytes: [UInt8]

  /// - Parameter bytes: the source; without it interpolated texts are not known.
  init(bytes: [UInt8] = []) { self.bytes = bytes }

  /// The names that have a value.
  var names: Dictionary<String, Constant>.Keys { constants.keys }

  subscript(name: String) -> Constant? {
    get { constants[name] }
    set { constants[name] = newValue }
  }
}

/// A predicate that was read, and its parts.
struct SourcePredicate {
  var predicate: Predicate
  /// The entity it is about, where that is written.
  var entity: Entity?
  /// The closure of `#Predicate`.
  var closure: ClosureSyntax?
  /// What must hold for it to be in the list that it is in.
  var condition: Predicate?
  /// The number and depth of the predicates joined in it: with names, a short text may mean many.
  var weight = 1
  var depth = 1

  static let mostWeight = 10_000
}

extension SourceConstants {
  /// The value of an expression that needs no object and no program to run; nil for any other.
  func value(of syntax: SwiftSyntax) -> Value? {
    switch syntax.kind {
    case .literal(let value): return value
    case .string(let string): return value(of: string)
    case .array(let elements): return list(elements)
    case .name(let name): return if case .value(let value) = self[name] { value } else { nil }
    case .tuple: return value(ofTuple: syntax)
    case .forced(let base), .cast(let base, _, _): return value(of: base)
    case .prefix("-", let operand): return value(of: operand)?.negated
    case .infix(let sign, let operands): return value(of: sign, operands)
    case .call(let callee, _, let arguments): return value(of: callee, arguments)
    case .member(let base, let name):
      if case .value(let value)? = declared(name, of: base) { return value }
      return value(ofMember: name, of: base)
    case .macro("keyPath", _, let arguments): return arguments.first.flatMap { Self.keyPath($0.value) }
    case .keyPath(_, let components): return .string(components.joined(separator: "."))
    default: return nil
    }
  }

  /// What `self.name`, `Self.name` or `Item.name` was declared to be.
  func declared(_ name: String, of base: SwiftSyntax?) -> Constant? {
    guard case .name(let owner)? = base?.kind else { return nil }
    return owner == "self" || owner == "Self" ? self[name] : self["\(owner).\(name)"]
  }

  /// A text in which all that is interpolated is known.
  private func value(of string: SwiftString) -> Value? {
    guard string.interpolation != nil else { return .string(string.content) }
    guard let parts = SourceInterpolation.parts(of: string, in: bytes) else { return nil }
    var text = ""
    for part in parts {
      switch part {
      case .text(let piece): text += piece
      case .value(let syntax, _):
        switch value(of: syntax) {
        case .string(let piece)?: text += piece
        case .int(let number)?: text += String(number)
        default: return nil
        }
      }
    }
    return text.utf8.count < 100_000 ? .string(text) : nil
  }

  private func value(ofTuple syntax: SwiftSyntax) -> Value? {
    guard case .tuple(let elements) = syntax.kind, elements.count == 1 else { return nil }
    return value(of: elements[0].value)
  }

  /// A list that is not so large and deep that only names can have made it so.
  private func list(_ elements: [SwiftSyntax]) -> Value? {
    var values: [Value] = []
    for element in elements {
      guard let value = value(of: element) else { return nil }
      values.append(value)
    }
    let list = Value.list(values)
    return list.depth <= 20 && list.size <= 100_000 ? list : nil
  }

  /// `Quake.station.name` within `#keyPath`.
  private static func keyPath(_ syntax: SwiftSyntax) -> Value? {
    var components: [String] = []
    var rest = syntax
    while case .member(let base?, let name) = rest.kind {
      components.append(name)
      rest = base
    }
    guard case .name(let root) = rest.kind else { return nil }
    if root.first?.isUppercase != true { components.append(root) }
    return .string(components.reversed().joined(separator: "."))
  }

  /// Arithmetic with constants: `60 * 60 * 24`.
  private func value(of sign: String, _ operands: [SwiftSyntax]) -> Value? {
    let functions: [String: ExpressionFunction] = [
      "+": .add, "-": .subtract, "*": .multiply, "/": .divide, "%": .modulus,
    ]
    guard operands.count == 2, let left = value(of: operands[0]), let right = value(of: operands[1]),
      let function = functions[sign]
    else { return nil }
    if case .string(let start) = left, case .string(let end) = right {
      return function == .add && start.utf8.count + end.utf8.count < 100_000 ? .string(start + end) : nil
    }
    let result = function.value(of: left, right)
    return result.isNull ? nil : result
  }
}

extension Value {
  fileprivate var negated: Value? {
    switch self {
    case .int(let number): number == .min ? nil : .int(-number)
    case .double(let number): .double(-number)
    case .decimal(let number): .decimal(-number)
    default: nil
    }
  }

  fileprivate var depth: Int {
    if case .list(let values) = self { 1 + (values.map(\.depth).max() ?? 0) } else { 0 }
  }

  fileprivate var size: Int { if case .list(let values) = self { values.reduce(1) { $0 + $1.size } } else { 1 } }
}

extension ExpressionFunction {
  /// The value for two operands.
  fileprivate func value(of left: Value, _ right: Value) -> Value {
    switch (left, right) {
    case (.int(let a), .int(let b)): return integer(a, b)
    case (.int, .double), (.double, .int), (.double, .double):
      return number(left.asDouble, right.asDouble)
    case (.date(let a), .int), (.date(let a), .double):
      switch self {
      case .add: return .date(Timestamp(a.seconds + right.asDouble))
      case .subtract: return .date(Timestamp(a.seconds - right.asDouble))
      default: return .null
      }
    default: return .null
    }
  }

  private func integer(_ a: Int64, _ b: Int64) -> Value {
    let result: (partialValue: Int64, overflow: Bool)
    switch self {
    case .add: result = a.addingReportingOverflow(b)
    case .subtract: result = a.subtractingReportingOverflow(b)
    case .multiply: result = a.multipliedReportingOverflow(by: b)
    case .divide: result = a.dividedReportingOverflow(by: b)
    case .modulus: result = a.remainderReportingOverflow(dividingBy: b)
    default: return .null
    }
    return result.overflow ? .null : .int(result.partialValue)
  }

  private func number(_ a: Double, _ b: Double) -> Value {
    let result: Double
    switch self {
    case .add: result = a + b
    case .subtract: result = a - b
    case .multiply: result = a * b
    case .divide: result = a / b
    default: return .null
    }
    return result.isFinite ? .double(result) : .null
  }
}

extension Value {
  fileprivate var asDouble: Double {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    default: .nan
    }
  }
}
