internal import Modeling
public import Queries
internal import SwiftParsing

extension SwiftPrinter {
  /// The forms that an expression takes in Swift source.
  public enum ExpressionForm: String, CaseIterable, Hashable, Sendable {
    /// `NSExpression(format: "magnitude * 2")`
    case nsexpression
    /// `#Expression<Quake, Double> { $0.magnitude * 2 }`
    case macro
  }

  /// The expression as source.
  ///
  ///     try SwiftPrinter(entity: quake).source(of: Expression.parse("depth * 2"), as: .macro)
  ///     // #Expression<Quake, Double?> { $0.depth.flatMap { $0 * 2 } }
  ///
  /// - Throws: what the form cannot say.
  public func source(of expression: Queries.Expression, as form: ExpressionForm) throws(SwiftPrintingError) -> String {
    switch form {
    case .macro: return try macroSource(of: expression, in: try knownEntity(.macro))
    case .nsexpression:
      var printer = FormatSourcePrinter(entity: entity, isCapturing: true)
      let format = try printer.value(expression, beside: .object)
      let arguments = ["format: \(SwiftLiteral.string(format))"] + printer.arguments
      return declared(
        .call("NSExpression", arguments.map { .text($0) }), type: "NSExpression", printer.captures,
        objects: "NSManagedObjectID", constant: "expression", function: "expression")
    }
  }

  private func macroSource(
    of expression: Queries.Expression, in entity: Entity
  ) throws(SwiftPrintingError) -> String {
    var printer = MacroPrinter(entity: entity)
    let (closure, value) = try printer.closure(expression)
    let type = "Expression<\(entity.name), \(value)>"
    return declared(
      .sequence([.text("#\(type) "), closure]), type: type, printer.captures, objects: "PersistentIdentifier",
      constant: "expression", function: "expression")
  }
}

extension MacroPrinter {
  /// The closure of `#Expression`, and the type of its value.
  fileprivate mutating func closure(
    _ expression: Queries.Expression
  ) throws(SwiftPrintingError) -> (code: SwiftCode, type: String) {
    clause = expression.description
    let root = newParameter()
    let term =
      switch expression {
      case .ternary(let condition, .constant(.bool(true)), .constant(.bool(false))): try self.condition(condition)
      default: try value(expression)
      }
    let name = if case .object(let entity) = term.type { entity.name } else { term.type.name() }
    return (
      .closure(SwiftClosure(parameter: root, name: SwiftNames.object(entity), body: term.code)),
      name + (term.isOptional ? "?" : "")
    )
  }
}
