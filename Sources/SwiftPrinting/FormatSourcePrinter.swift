internal import Modeling
internal import Queries
internal import SwiftParsing
internal import SwiftReading

/// Writes a predicate as the arguments of `NSPredicate(format:)`, in the language that Apple's parser knows.
///
///     magnitude > %@ AND place CONTAINS 'Chile'
///
/// What has no literal in that language, such as dates, becomes an argument; so do strings with a percent sign in them.
/// Values are in the file beside.
struct FormatSourcePrinter {
  /// The entity of the predicate, if known; it determines the types of parameters.
  let entity: Entity?
  /// Whether constants with a name stand before the predicate; else they are written out.
  var isCapturing: Bool
  var captures = SwiftCaptures()
  /// What follows the format.
  var arguments: [String] = []
  /// The variables of the enclosing SUBQUERYs, with their entities as far as they are known.
  var scope: [String: Entity?] = [:]
  var clause = ""
  /// The types of variables, as all their comparisons show them.
  var variableTypes: [String: SwiftType] = [:]

  init(entity: Entity?, isCapturing: Bool) {
    self.entity = entity
    self.isCapturing = isCapturing
  }

  /// `NSPredicate(format: ...)`
  mutating func source(of predicate: Queries.Predicate) throws(SwiftPrintingError) -> SwiftCode {
    let predicate = predicate.withoutNilTestsOfVariables.withDateRanges
    collectTypes(predicate)
    if case .constant(let flag) = predicate { return .text("NSPredicate(value: \(flag))") }
    let format = try text(predicate)
    let all = ["format: \(SwiftLiteral.string(format))"] + arguments
    return .call("NSPredicate", all.map { .text($0) })
  }

  func error(_ fact: SwiftPrintingError.Fact) -> SwiftPrintingError { SwiftPrintingError(fact, in: clause) }

  // MARK: Conditions

  private mutating func text(
    _ predicate: Queries.Predicate, within level: Int = 0
  ) throws(SwiftPrintingError) -> String {
    switch predicate {
    case .constant(let flag): return flag ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .or(let terms): return try joined(terms, " OR ", own: 1, empty: "FALSEPREDICATE", within: level)
    case .and(let terms): return try joined(terms, " AND ", own: 2, empty: "TRUEPREDICATE", within: level)
    case .not(let inner): return "NOT " + (try text(inner, within: 3))
    case .comparison(let comparison):
      let outer = clause
      clause = predicate.description
      let text = try text(comparison)
      clause = outer
      return text
    case .expression(let expression):
      clause = expression.description
      return try value(expression, beside: .constant(.bool(true))) + " == YES"
    }
  }

  private mutating func joined(
    _ terms: [Queries.Predicate], _ separator: String, own: Int, empty: String, within level: Int
  ) throws(SwiftPrintingError) -> String {
    guard terms.count > 1 else {
      return try terms.first.map { term throws(SwiftPrintingError) in try text(term, within: level) } ?? empty
    }
    var texts: [String] = []
    for term in terms { texts.append(try text(term, within: own + 1)) }
    let body = texts.joined(separator: separator)
    return level > own ? "(\(body))" : body
  }

  private mutating func text(_ comparison: Comparison) throws(SwiftPrintingError) -> String {
    if let test = comparison.entityTest { return try entityText(test) }
    let modifier = comparison.modifier == .direct ? "" : comparison.modifier.rawValue + " "
    let left = try value(fitted(comparison.left, beside: comparison.right), beside: comparison.right)
    let isList = comparison.comparator == .in
    let right = try value(fitted(comparison.right, beside: comparison.left), beside: comparison.left, isList: isList)
    return "\(modifier)\(left) \(comparison.comparator.rawValue)\(Self.options(comparison.options)) \(right)"
  }

  /// `entity IN %@`, as Apple's stores ask for the entity of an object.
  private mutating func entityText(_ test: EntityTest) throws(SwiftPrintingError) -> String {
    let owner = if case .object = test.object { "" } else { try value(test.object, beside: .object, within: 8) + "." }
    let names = test.names.map { SwiftNames.identifier(SwiftModelNames.plain($0)) + ".entity()" }
    let isSingle = names.count == 1
    arguments.append(isSingle ? names[0] : "[\(names.joined(separator: ", "))]")
    let sign = isSingle ? test.isNegated ? "!=" : "==" : "IN"
    return "\(test.isNegated && !isSingle ? "NOT " : "")\(owner)entity \(sign) %@"
  }

  private static func options(_ options: ComparisonOptions) -> String {
    let letters: [(ComparisonOptions, String)] = [
      (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"), (.localeSensitive, "l"),
    ]
    let text = letters.filter { options.contains($0.0) }.map(\.1).joined()
    return text.isEmpty ? "" : "[\(text)]"
  }

  /// A condition within a value.
  mutating func condition(_ predicate: Queries.Predicate) throws(SwiftPrintingError) -> String { try text(predicate) }
}

extension SwiftPrinter {
  func formatSource(of predicate: Queries.Predicate) throws(SwiftPrintingError) -> String {
    var printer = FormatSourcePrinter(entity: entity, isCapturing: true)
    let code = try printer.source(of: predicate)
    let function = entity.map { "matching" + SwiftNames.capitalized(SwiftNames.objects($0)) } ?? "matching"
    return declared(
      code, type: "NSPredicate", printer.captures, objects: "NSManagedObjectID", function: function)
  }
}
