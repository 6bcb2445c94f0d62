internal import Modeling
internal import Queries
internal import SwiftParsing

/// `NSExpressionDescription()`, and the assignments to its properties.
struct SourceColumn {
  var name: String?
  var expression: Expression?
}

// The columns of dictionaries.
extension SourceReader {
  /// The columns of dictionaries: key paths, keys, and descriptions of expressions that were declared.
  mutating func columns(_ syntax: SwiftSyntax, of entity: Entity) -> [FetchedColumn] {
    guard case .array(let elements) = syntax.unwrapped.kind else {
      if case .cast(let inner, _, _) = syntax.unwrapped.kind { return columns(inner, of: entity) }
      _ = notAConstant(syntax)
      return []
    }
    return elements.compactMap { column($0, of: entity) }
  }

  private mutating func column(_ syntax: SwiftSyntax, of entity: Entity) -> FetchedColumn? {
    guard case .name(let name) = syntax.unwrapped.kind, case .column(let column)? = constants[name] else {
      return path(syntax, of: entity).map { FetchedColumn($0.text, .path($0)) }
    }
    guard let title = column.name, let expression = column.expression else {
      _ = notAConstant(syntax)
      return nil
    }
    return FetchedColumn(title, expression)
  }

  /// What `NSExpressionDescription()` and `NSExpression(...)` declare; nil for any other value.
  mutating func columnConstant(_ syntax: SwiftSyntax) -> SourceConstants.Constant? {
    if case .call(let callee, _, let arguments) = syntax.unwrapped.kind, arguments.isEmpty,
      callee.typeName == "NSExpressionDescription"
    {
      return .column(SourceColumn())
    }
    return columnExpression(syntax).map { .columnExpression($0) }
  }

  /// `count.expression = NSExpression(...)`
  mutating func set(_ property: String, _ value: SwiftSyntax, of column: inout SourceColumn) {
    switch property {
    case "name":
      guard case .string(let name)? = constants.value(of: value) else {
        _ = notAConstant(value)
        return
      }
      column.name = name
    case "expression":
      let count = issues.found.count
      column.expression = columnExpression(value, isExpected: true)
      if column.expression == nil, issues.found.count == count { _ = notAConstant(value) }
    // The value has the type that it has.
    case "expressionResultType", "resultType": break
    default:
      let known = ["name", "expression", "expressionResultType"]
      issues.report(
        .unknownArgument(property, of: "NSExpressionDescription", nearest: nearestName(to: property, in: known)),
        at: value.range)
    }
  }

  /// `NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "time")])`; `.init` where one is expected.
  private mutating func columnExpression(_ syntax: SwiftSyntax, isExpected: Bool = false) -> Expression? {
    switch syntax.unwrapped.kind {
    case .name(let name): if case .columnExpression(let known)? = constants[name] { return known }
    case .call(let callee, _, let arguments):
      switch callee.kind {
      case .name("NSExpression"): return columnExpression(arguments, syntax)
      case .member(nil, "init") where isExpected: return columnExpression(arguments, syntax)
      case .member(let base?, "expressionForEvaluatedObject") where base.typeName == "NSExpression": return .object
      default: break
      }
    default: break
    }
    return nil
  }

  private mutating func columnExpression(_ arguments: [SwiftArgument], _ syntax: SwiftSyntax) -> Expression? {
    let labels = arguments.map(\.label)
    guard let first = arguments.first, case .string(let text)? = constants.value(of: first.value) else {
      _ = notAConstant(arguments.first?.value ?? syntax)
      return nil
    }
    switch labels {
    case ["forKeyPath"], ["format"]:
      do { return try Expression.parse(text) } catch {
        issues.report(error, at: first.value.range)
        return nil
      }
    case ["forFunction", "arguments"]:
      let word = text.hasSuffix(":") ? String(text.dropLast()) : text
      guard let function = ExpressionFunction(rawValue: word) ?? ExpressionFunction(rawValue: text),
        case .array(let elements) = arguments[1].value.unwrapped.kind, function.accepts(count: elements.count)
      else {
        _ = notAConstant(syntax)
        return nil
      }
      let operands = elements.compactMap { columnExpression($0, isExpected: true) }
      guard operands.count == elements.count else {
        _ = notAConstant(arguments[1].value)
        return nil
      }
      return .function(function, operands)
    default:
      issues.report(
        .unknownArgument(labels.compactMap(\.self).first ?? text, of: "NSExpression", nearest: "forKeyPath"),
        at: first.value.range)
      return nil
    }
  }
}
