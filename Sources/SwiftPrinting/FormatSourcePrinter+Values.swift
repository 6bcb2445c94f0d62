internal import Modeling
internal import Queries
internal import SwiftParsing

extension FormatSourcePrinter {
  /// An expression in Apple's language; `other` is the other side of its comparison.
  ///
  /// Levels: 1 `|`, 2 `^`, 3 `&`, 4 `+ -`, 5 `* /`, 6 `**`, 7 a sign, 8 what can be followed by a point.
  mutating func value(
    _ expression: Queries.Expression, beside other: Queries.Expression, within level: Int = 0, isList: Bool = false
  ) throws(SwiftPrintingError) -> String {
    switch expression {
    case .constant(let value): return try constant(value, beside: other, within: level)
    case .argument(let value, let name): return try argument(value, name: name, beside: other)
    case .object: return "SELF"
    case .path(let path): return try key(path)
    case .variable(let name, _):
      return scope.keys.contains(name) ? "$\(name)" : try parameter(name, type(of: other), isList: isList)
    case .variablePath(let name, let path):
      try refuseCasts(path)
      guard scope.keys.contains(name), path.names.allSatisfy(Self.isPlainKey) else {
        throw error(.notInFormat("the key \(path.text) of the variable $\(name)", instead: .form(.macro)))
      }
      return "$\(name).\(path.text)"
    case .aggregate(let elements): return try list(elements, beside: other)
    case .function(let function, let arguments, _): return try call(function, arguments, within: level)
    case .collection(let function, let source, let key):
      try key.map(refuseCasts)
      let own = function == .count ? "" : ".self"
      return try value(source, beside: other, within: 8) + ".\(function.rawValue)" + (key.map { "." + $0.text } ?? own)
    case .subscripted(let source, let position):
      return try value(source, beside: other, within: 8) + "[\(try text(position))]"
    case .subquery(let source, let name, let predicate):
      let outer = scope
      let collection = try value(source, beside: other)
      scope[name] = self.entity(of: source)
      let body = try condition(predicate)
      scope = outer
      return "SUBQUERY(\(collection), $\(name), \(body))"
    case .ternary(let predicate, let first, let second):
      return "TERNARY(\(try condition(predicate)), \(try value(first, beside: second)), "
        + "\(try value(second, beside: first)))"
    case .cast(let operand, let type):
      guard Self.castTypes.contains(type) else {
        throw error(.notInFormat("CAST to \(type.rawValue)", instead: .storedAttribute))
      }
      return "CAST(\(try value(operand, beside: .object)), '\(type.rawValue)')"
    }
  }

  private static let castTypes: Set<CastType> = [.string, .number, .decimal, .date]

  private mutating func text(_ position: Subscript) throws(SwiftPrintingError) -> String {
    switch position {
    case .first: "FIRST"
    case .last: "LAST"
    case .size: "SIZE"
    case .index(let index): try value(index, beside: .constant(.int(0)))
    }
  }

  private mutating func list(
    _ elements: [Queries.Expression], beside other: Queries.Expression
  ) throws(SwiftPrintingError) -> String {
    var texts: [String] = []
    for element in elements { texts.append(try value(element, beside: other)) }
    return "{" + texts.joined(separator: ", ") + "}"
  }

  // MARK: Functions

  private mutating func call(
    _ function: ExpressionFunction, _ arguments: [Queries.Expression], within level: Int
  ) throws(SwiftPrintingError) -> String {
    switch function {
    case .year, .month, .day, .hour, .minute, .second, .weekday, .trim, .round, .entityName:
      throw error(.notInFormat("the function \(function.rawValue)", instead: .storedAttribute))
    case .negate where arguments.count == 1:
      let operand = try value(arguments[0], beside: .constant(.int(0)), within: 7)
      let body = operand.first?.isNumber == true || operand.hasPrefix("%") ? "-(\(operand))" : "-\(operand)"
      return level > 7 ? "(\(body))" : body
    case .add, .subtract, .multiply, .divide, .power, .negate, .modulus, .bitwiseAnd, .bitwiseOr, .bitwiseXor,
      .onesComplement, .leftShift, .rightShift, .now, .lowercase, .uppercase, .canonical, .length, .abs, .floor,
      .ceiling, .trunc, .sqrt, .ln, .log, .exp, .count, .sum, .average, .min, .max, .median, .mode, .stddev, .noindex:
      break
    }
    if arguments.count == 2, let own = function.precedence {
      let left = try value(arguments[0], beside: arguments[1], within: own)
      let body = "\(left) \(function.rawValue) \(try value(arguments[1], beside: arguments[0], within: own + 1))"
      return level > own ? "(\(body))" : body
    }
    var texts: [String] = []
    for argument in arguments { texts.append(try value(argument, beside: arguments[0])) }
    return "\(function.rawValue)(\(texts.joined(separator: ", ")))"
  }

  // MARK: Keys

  /// A path; one that is no words is given as an argument.
  private mutating func key(_ path: PropertyPath) throws(SwiftPrintingError) -> String {
    try refuseCasts(path)
    guard path.names.allSatisfy(Self.isPlainKey) else {
      arguments.append(SwiftLiteral.string(path.text))
      return "%K"
    }
    return path.names.map { Self.reserved.contains($0.uppercased()) ? "#" + $0 : $0 }.joined(separator: ".")
  }

  /// Apple's language has no words for an object that is taken as one of a subentity.
  private func refuseCasts(_ path: PropertyPath) throws(SwiftPrintingError) {
    guard path.hasCasts else { return }
    throw error(.notInFormat(path.text, instead: .form(.macro)))
  }

  private static func isPlainKey(_ name: String) -> Bool {
    SwiftNames.isIdentifier(name) && name.unicodeScalars.allSatisfy(\.isASCII)
  }

  /// The reserved words of Apple's predicate language.
  private static let reserved: Set<String> = [
    "ALL", "AND", "ANY", "ANYKEY", "BEGINSWITH", "BETWEEN", "CAST", "CASEINSENSITIVE", "CI", "CONTAINS", "ENDSWITH",
    "FALSE", "FALSEPREDICATE", "FETCH", "FIRST", "FUNCTION", "IN", "LAST", "LIKE", "MATCHES", "NIL", "NO", "NONE",
    "NOT", "NULL", "OR", "SELF", "SIZE", "SOME", "SUBQUERY", "TERNARY", "TRUE", "TRUEPREDICATE", "YES",
  ]

  // MARK: Constants

  /// A constant of the text; in it still where the language has a literal.
  private mutating func constant(
    _ value: Value, beside other: Queries.Expression, within level: Int
  ) throws(SwiftPrintingError) -> String {
    switch value {
    case .null: return "nil"
    case .bool(let flag): return flag ? "YES" : "NO"
    case .int(let number): return level > 7 && number < 0 ? "(\(number))" : String(number)
    case .double(let number) where number.isFinite: return level > 7 && number < 0 ? "(\(number))" : "\(number)"
    case .string(let text) where !text.contains("%"): return Self.quoted(text)
    case .list(let values) where value.objects == nil:
      return try list(values.map { .constant($0) }, beside: other)
    default: return try argument(value, name: nil, beside: other)
    }
  }

  /// A string in the quotes that need no escape, if there are such.
  private static func quoted(_ text: String) -> String {
    let isPlain = !text.unicodeScalars.contains {
      $0 == "'" || $0 == "\\" || $0.actsOnTerminals
    }
    return isPlain ? "'\(text)'" : Queries.Expression.constant(.string(text)).format
  }

  /// A placeholder `%@`, and its argument.
  private mutating func argument(
    _ value: Value, name: String?, beside other: Queries.Expression
  ) throws(SwiftPrintingError) -> String {
    if let ids = value.objects {
      let base = name ?? Self.objectName(other, ids[0])
      let isList = if case .list = value { true } else { false }
      guard SwiftNames.isIdentifier(base) else { throw error(.notAnIdentifier(base)) }
      let type = SwiftType.object(ids[0].entity)
      let wanted = isList && name == nil ? Naming.plural(base) : base
      let own = captures.parameter(of: ids, wanted, isList ? .list(type) : type)
      arguments.append(SwiftNames.identifier(own))
      return "%@"
    }
    guard let initializer = Self.initializer(value) else { throw error(.unwritableConstant(value.debugText)) }
    guard isCapturing, let name, SwiftNames.isIdentifier(name), !value.isNull else {
      arguments.append(initializer + Self.bridge(value))
      return "%@"
    }
    let annotation = if case .list(let values) = value { Self.listType(values) } else { nil as String? }
    let constant = captures.constant(
      name, annotation: annotation, initializer, comment: SwiftLiteral.comment(value))
    arguments.append(SwiftNames.identifier(constant) + Self.bridge(value))
    return "%@"
  }

  private static func objectName(_ other: Queries.Expression, _ id: ObjectID) -> String {
    if case .path(let path) = other, let last = path.names.last { return last + "ID" }
    return SwiftNames.object(id.entity) + "ID"
  }

  private static func initializer(_ value: Value) -> String? {
    switch value {
    case .null: return "NSNull()"
    case .list(let values):
      let elements = values.compactMap { initializer($0) }
      guard elements.count == values.count else { return nil }
      return "[" + elements.joined(separator: ", ") + "]"
    default: return SwiftLiteral.initializer(value)
    }
  }

  /// The declared type of an array whose elements do not determine it.
  private static func listType(_ values: [Value]) -> String? { values.isEmpty ? "[Any]" : nil }

  /// How a Swift value becomes an object of Objective-C.
  private static func bridge(_ value: Value) -> String {
    switch value {
    case .bool, .int, .double: " as NSNumber"
    case .decimal: " as NSDecimalNumber"
    case .date: " as NSDate"
    case .uuid: " as NSUUID"
    case .url: " as NSURL"
    case .data: " as NSData"
    case .null, .string, .list, .json, .object: ""
    }
  }

  /// Constants as the type of the other side has them: a string of a script is `Data` beside bytes.
  func fitted(_ expression: Queries.Expression, beside other: Queries.Expression) -> Queries.Expression {
    guard let type = type(of: other)?.attributeType, type == .data else { return expression }
    switch expression {
    case .constant(let value): return .constant(value.fitted(to: type))
    case .argument(let value, let name): return .argument(value.fitted(to: type), name: name)
    case .aggregate(let elements): return .aggregate(elements.map { fitted($0, beside: other) })
    default: return expression
    }
  }

  // MARK: Parameters

  private mutating func parameter(
    _ name: String, _ type: SwiftType?, isList: Bool
  ) throws(SwiftPrintingError) -> String {
    guard SwiftNames.isIdentifier(name) else { throw error(.notAnIdentifier(name)) }
    guard let type = type.map({ isList ? SwiftType.list($0) : $0 }) ?? variableTypes[name] else {
      throw error(.unknownType(variable: name))
    }
    guard captures.parameter(name, type) else { throw error(.unknownType(variable: name)) }
    arguments.append(SwiftNames.identifier(name) + type.bridge)
    return "%@"
  }

  /// The type of the value that a variable is compared with, if the model has it.
  func type(of expression: Queries.Expression) -> SwiftType? {
    switch expression {
    case .path(let path): return entity.flatMap { Self.type(of: path, in: $0) }
    case .variablePath(let name, let path): return (scope[name] ?? nil).flatMap { Self.type(of: path, in: $0) }
    case .variable(let name, _): return (scope[name] ?? nil).map(SwiftType.object) ?? variableTypes[name]
    case .object: return entity.map(SwiftType.object)
    case .constant(let value), .argument(let value, _): return Self.type(of: value)
    case .function(let function, let arguments, _):
      switch function {
      case .length, .count: return .integer
      case .lowercase, .uppercase, .canonical, .entityName: return .string
      default: return arguments.firstResult { type(of: $0) }
      }
    case .collection(.count, _, _), .subscripted(_, .size): return .integer
    case .collection(_, let source, let key):
      guard let key else { return type(of: source) }
      return entity(of: source).flatMap { Self.type(of: key, in: $0) }
    case .ternary(_, let first, let second): return type(of: first) ?? type(of: second)
    case .aggregate(let elements): return elements.firstResult { type(of: $0) }
    case .cast(_, let type): return .attribute(type.attributeType)
    case .subscripted(let source, _), .subquery(let source, _, _): return type(of: source)
    }
  }

  private static func type(of path: PropertyPath, in entity: Entity) -> SwiftType? {
    guard let resolved = try? path.resolve(in: entity) else { return nil }
    guard let attribute = resolved.finalElement ?? resolved.finalAttribute else { return .object(resolved.end) }
    return .attribute(attribute.type)
  }

  private static func type(of value: Value) -> SwiftType? {
    switch value {
    case .bool: .bool
    case .int: .integer
    case .double: .attribute(.double)
    case .decimal: .attribute(.decimal)
    case .string: .string
    case .date: .date
    case .uuid: .attribute(.uuid)
    case .url: .attribute(.url)
    case .data: .attribute(.data)
    case .object(let id): .object(id.entity)
    case .list(let values): values.first.flatMap { type(of: $0) }
    case .null, .json: nil
    }
  }

  /// The entity of a collection's objects.
  func entity(of source: Queries.Expression) -> Entity? {
    let start: Entity?
    let rest: PropertyPath
    switch source {
    case .path(let path): (start, rest) = (entity, path)
    case .variablePath(let name, let path): (start, rest) = (scope[name] ?? nil, path)
    case .subquery(let inner, _, _): return entity(of: inner)
    default: return nil
    }
    return start.flatMap { try? rest.resolve(in: $0) }?.end
  }
}

extension SwiftType {
  /// How a value of the type becomes an object of Objective-C.
  fileprivate var bridge: String {
    switch self {
    case .object, .list: ""
    case .attribute(let type):
      switch type {
      case .integer16, .integer32, .integer64, .double, .float, .boolean: " as NSNumber"
      case .decimal: " as NSDecimalNumber"
      case .date: " as NSDate"
      case .uuid: " as NSUUID"
      case .url: " as NSURL"
      case .data: " as NSData"
      case .string, .transformable, .composite, .any: ""
      }
    }
  }
}
