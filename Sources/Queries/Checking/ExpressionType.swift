public import Modeling

/// The type of an expression's value, as far as it is known before evaluation.
public indirect enum ExpressionType: Hashable, Sendable {
  /// A value of an attribute type.
  case value(AttributeType)
  /// An object of the entity or of a descendant.
  case object(Entity)
  /// A collection of this type.
  case collection(ExpressionType)
  /// Nil, as a literal.
  case null
  /// Unknown: a variable, or an expression with a reported error.
  case unknown

  /// The type of a constant.
  public init(of value: Value) {
    switch value {
    case .null: self = .null
    case .bool: self = .value(.boolean)
    case .int: self = .value(.integer64)
    case .double: self = .value(.double)
    case .decimal: self = .value(.decimal)
    case .string: self = .value(.string)
    case .date: self = .value(.date)
    case .uuid: self = .value(.uuid)
    case .url: self = .value(.url)
    case .data: self = .value(.data)
    case .json: self = .value(.transformable)
    case .object(let id): self = .object(id.entity)
    case .list(let values): self = .collection(Self.common(values.lazy.map { ExpressionType(of: $0) }))
    }
  }

  /// The name of the type in messages.
  public var name: String {
    switch self {
    case .value(let type): type.rawValue
    case .object(let entity): entity.name
    case .collection(.unknown): "list"
    case .collection(let element): "list of \(element.name)"
    case .null: "nil"
    case .unknown: "unknown"
    }
  }

  /// The attribute type of the values, if there is one.
  public var attributeType: AttributeType? {
    if case .value(let type) = self { type } else { nil }
  }

  /// The type that all of `types` fit; `.unknown` if they have none in common.
  static func common(_ types: some Sequence<ExpressionType>) -> ExpressionType {
    var result = ExpressionType.null
    var poll = InterruptionPoll()
    var isEmpty = true
    for type in types {
      isEmpty = false
      // The result of a stopped check is never used.
      if (try? poll.step()) == nil { return .unknown }
      if type == .null || type == result { continue }
      switch (result, type) {
      case (.null, _): result = type
      case (.value(let left), .value(let right)) where left.isNumeric && right.isNumeric:
        result = .value(AttributeType.arithmeticResult(left, right))
      case (.object(let left), .object(let right)):
        let ancestor = sequence(first: left, next: \.parent).first { right.isKind(of: $0) }
        result = ancestor.map(ExpressionType.object) ?? .unknown
      default: if result != type { return .unknown }
      }
    }
    return result == .null && isEmpty ? .unknown : result
  }

  /// Whether values of the two types can be equal, or one less than the other.
  func isComparable(with other: ExpressionType) -> Bool {
    switch (self, other) {
    case (.unknown, _), (_, .unknown), (.null, _), (_, .null): true
    case (.value(let left), .value(let right)): left.isComparable(with: right)
    case (.object(let left), .object(let right)): left.isKind(of: right) || right.isKind(of: left)
    default: false
    }
  }

  var isNumber: Bool { matches { $0.isNumeric || $0 == .boolean } }
  var isText: Bool { matches(\.isTextual) }
  var isDate: Bool { matches { $0 == .date } }

  /// Whether values are ordered, so that they can be compared by `<`, sorted, and aggregated by `@max`.
  var isOrdered: Bool { matches { $0 != .transformable && $0 != .composite } }

  /// Whether it is, or may be, a value of a type that `condition` accepts.
  private func matches(_ condition: (AttributeType) -> Bool) -> Bool {
    switch self {
    case .value(let type): type == .any || condition(type)
    case .null, .unknown: true
    case .object, .collection: false
    }
  }
}

extension AttributeType {
  fileprivate func isComparable(with other: AttributeType) -> Bool {
    switch (self, other) {
    case (.any, _), (_, .any): true
    case (.transformable, .transformable), (.transformable, .composite), (.composite, .transformable): true
    case (.composite, .composite): true
    default: comparisonClass == other.comparisonClass
    }
  }

  private enum ComparisonClass {
    case number, text, date, uuid, data, json, any
  }

  private var comparisonClass: ComparisonClass {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: .number
    case .string, .url: .text
    case .date: .date
    case .uuid: .uuid
    case .data: .data
    case .transformable, .composite: .json
    case .any: .any
    }
  }

  /// The type of `left + right`: decimal before double before integer.
  static func arithmeticResult(_ left: AttributeType, _ right: AttributeType) -> AttributeType {
    let types = [left, right]
    if types.contains(.any) { return .any }
    if types.contains(.decimal) { return .decimal }
    if types.contains(.double) || types.contains(.float) { return .double }
    return .integer64
  }
}
