internal import Modeling
internal import Queries

/// Spells archived predicates and expressions in the format language.
///
/// The text is a format with placeholders, which the parser reads. So a condition from an archive has the same text as one
/// from a document.
struct ArchivedPredicateText {
  private static let sizeLimit = 20_000

  private var arguments: [PredicateArgument] = []
  private var size = 0

  /// The text of a predicate.
  static func predicate(_ content: ArchivedContent) throws(ArchivedPredicateError) -> String {
    var writer = ArchivedPredicateText()
    let format = try writer.condition(content, depth: 0)
    do {
      return try CanonicalFormat.predicate(format, arguments: writer.arguments)
    } catch {
      throw .unreadable(format)
    }
  }

  /// The text of an expression: of a derived attribute or an index.
  static func expression(_ content: ArchivedContent) throws(ArchivedPredicateError) -> String {
    var writer = ArchivedPredicateText()
    let format = try writer.operand(content, depth: 0)
    do {
      return try CanonicalFormat.expression(format, arguments: writer.arguments)
    } catch {
      throw .unreadable(format)
    }
  }

  private mutating func enter(_ depth: Int) throws(ArchivedPredicateError) {
    size += 1
    if depth > Nesting.archivedPredicates || size > Self.sizeLimit { throw .tooLarge }
  }

  /// Puts a value into the text.
  mutating func argument(_ value: Value, as placeholder: String) -> String {
    arguments.append(.value(value))
    return placeholder
  }

  // MARK: Conditions

  private mutating func condition(_ content: ArchivedContent, depth: Int) throws(ArchivedPredicateError) -> String {
    try enter(depth)
    guard case .object(let object) = content else { throw .unknownPart("no predicate") }
    if object.isKind(of: "NSComparisonPredicate") { return try comparison(object, depth: depth) }
    if object.isKind(of: "NSCompoundPredicate") { return try compound(object, depth: depth) }
    if object.isKind(of: "NSTruePredicate") { return "TRUEPREDICATE" }
    if object.isKind(of: "NSFalsePredicate") { return "FALSEPREDICATE" }
    throw .unknownPart(object.className)
  }

  private mutating func compound(_ object: ArchivedObject, depth: Int) throws(ArchivedPredicateError) -> String {
    var terms: [String] = []
    for term in object.elements("NSSubpredicates") { terms.append("(\(try condition(term, depth: depth + 1)))") }
    switch object.integer("NSCompoundPredicateType") {
    case 0 where terms.count == 1: return "NOT " + terms[0]
    case 1: return terms.isEmpty ? "TRUEPREDICATE" : terms.joined(separator: " AND ")
    case 2: return terms.isEmpty ? "FALSEPREDICATE" : terms.joined(separator: " OR ")
    default: throw .unknownPart("a compound of another type")
    }
  }

  private mutating func comparison(_ object: ArchivedObject, depth: Int) throws(ArchivedPredicateError) -> String {
    guard let parts = object.object("NSPredicateOperator") else { throw .unknownPart("no operator") }
    let left = try operand(object["NSLeftExpression"], depth: depth + 1)
    let right = try operand(object["NSRightExpression"], depth: depth + 1)
    let modifier =
      switch parts.integer("NSModifier") ?? 0 {
      case 0: ""
      case 1: "ALL "
      case 2: "ANY "
      default: throw .unknownPart("a modifier of another kind")
      }
    return "\(modifier)\(left) \(try sign(parts))\(options(parts)) \(right)"
  }

  private func sign(_ parts: ArchivedObject) throws(ArchivedPredicateError) -> String {
    let signs: [Int64: String] = [
      0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE", 8: "BEGINSWITH", 9: "ENDSWITH",
      10: "IN", 99: "CONTAINS", 100: "BETWEEN",
    ]
    guard let type = parts.integer("NSOperatorType"), let sign = signs[type] else {
      throw .unknownPart(parts.text("NSSelectorName") ?? parts.className)
    }
    return sign == "==" && parts.flag("NSNegate") ? "!=" : sign
  }

  private func options(_ parts: ArchivedObject) -> String {
    // Operators of equality and order say NSOptions, those of text NSFlags.
    let bits = (parts.integer("NSOptions") ?? 0) | (parts.integer("NSFlags") ?? 0)
    let letters = [(1, "c"), (2, "d"), (4, "n"), (8, "l")].filter { bits & Int64($0.0) != 0 }.map(\.1).joined()
    return letters.isEmpty ? "" : "[\(letters)]"
  }

  // MARK: Values

  mutating func operand(_ content: ArchivedContent, depth: Int) throws(ArchivedPredicateError) -> String {
    try enter(depth)
    guard case .object(let object) = content else { throw .unknownPart("no expression") }
    switch object.integer("NSExpressionType") {
    case 0: return try constant(object)
    case 1: return "SELF"
    case 2: return try variable(object)
    case 3, 4: return try call(object, depth: depth)
    case 10:
      guard let path = object.text("NSKeyPath") else { throw .unknownPart("a key path without keys") }
      return argument(.string(path), as: "%K")
    case 13: return try subquery(object, depth: depth)
    case 14: return "{" + (try operands(object.elements("NSCollection"), depth: depth)).joined(separator: ", ") + "}"
    case 20:
      let condition = try condition(object["NSPredicate"], depth: depth + 1)
      let choices = try operands([object["NSTrueExpression"], object["NSFalseExpression"]], depth: depth)
      return "TERNARY(\(condition), \(choices.joined(separator: ", ")))"
    default: throw .unknownPart(object.className)
    }
  }

  mutating func operands(
    _ contents: [ArchivedContent], depth: Int
  ) throws(ArchivedPredicateError) -> [String] {
    var texts: [String] = []
    for content in contents { texts.append(try operand(content, depth: depth + 1)) }
    return texts
  }

  private func variable(_ object: ArchivedObject) throws(ArchivedPredicateError) -> String {
    guard let name = object.text("NSVariable"), name.utf8.allSatisfy({ $0 == 0x5F || $0.isLetterOrDigit }) else {
      throw .unknownPart("a variable without a name")
    }
    return "$" + name
  }

  private mutating func subquery(_ object: ArchivedObject, depth: Int) throws(ArchivedPredicateError) -> String {
    let collection = try operand(object["NSCollection"], depth: depth + 1)
    let variable: String
    if let name = object.text("NSVariable") {
      variable = "$" + name
    } else {
      let field = ["NSVariableExpression", "NSVariable"].first(where: object.has)
      variable = try operand(field.map { object[$0] } ?? .null, depth: depth + 1)
    }
    let field = ["NSPredicate", "NSSubpredicate"].first(where: object.has)
    let condition = try condition(field.map { object[$0] } ?? .null, depth: depth + 1)
    return "SUBQUERY(\(collection), \(variable), \(condition))"
  }

  private mutating func constant(_ object: ArchivedObject) throws(ArchivedPredicateError) -> String {
    if object.has("NSConstantValueClassName") { throw .unknownPart("a class as a value") }
    return argument(try Self.value(object["NSConstantValue"], depth: 0), as: "%@")
  }

  private static func value(_ content: ArchivedContent, depth: Int) throws(ArchivedPredicateError) -> Value {
    switch content {
    case .null: return .null
    case .value(let value): return value
    case .object(let object):
      if let value = object.value { return value }
      guard depth < 8, ["NSArray", "NSSet", "NSOrderedSet"].contains(where: object.isKind) else {
        throw .unknownPart(object.className)
      }
      var values: [Value] = []
      for member in object.members.prefix(sizeLimit) { values.append(try value(member, depth: depth + 1)) }
      return .list(values)
    case .reference, .list: throw .unknownPart("no value")
    }
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
  }
}
