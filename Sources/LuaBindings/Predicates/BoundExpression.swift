internal import LuaRuntime
internal import Modeling
internal import Queries
internal import SwiftPrinting

/// An expression in Lua, for sorting, grouping and conditions.
final class BoundExpression: Bound {
  static let luaName = "Expression"
  var place: String { "Expression" }

  let expression: Queries.Expression

  init(_ expression: Queries.Expression) { self.expression = expression }

  func summary() -> String { expression.format }

  static let members: [Member<BoundExpression>] = [
    .property("format", "expression.format -> string", "The expression in the format language.", sandbox: .allowed) {
      call, bound in
      .text(bound.expression.format)
    },
    .method(
      "bind", "expression:bind { name = value, ... } -> expression", "The expression with values for its `$variables`.",
      sandbox: .allowed, example: #"Expression("magnitude * $factor"):bind { factor = 3 }"#
    ) { call, bound in
      guard call.type(1) == .table else { throw call.expected("a table of values by variable", 1) }
      let values = try call.variables(1)
      guard case .expression(let filled) = try Queries.Predicate.expression(bound.expression).bind(values) else {
        return .nothing
      }
      return .object(BoundExpression(filled))
    },
    .method(
      "evaluate", "expression:evaluate(object) -> value", "The value for an object.", sandbox: .allowed,
      example: "(Quake:first())"
    ) { call, bound in
      guard let (object, context) = call.engine.values.objectAndContext(at: call.index(1), on: call.stack) else {
        throw call.expected("an object", 1)
      }
      try context.checkOpen(call.place)
      try bound.expression.check(in: object.entity, for: .evaluation)
      context.noteRead(of: object)
      let value = try bound.expression.evaluate(object)
      return .pushing { try context.push(evaluated: value, on: $0) }
    },
    .method(
      "swift", "expression:swift([form] [, { entity = , name = }]) -> string",
      "The expression as Swift: \"nsexpression\" or \"macro\", which needs the entity.", sandbox: .allowed,
      example: #"Expression("magnitude * 2"):swift("macro", { entity = Quake })"#
    ) { call, bound in
      let isOptions = call.type(1) == .table
      let form = isOptions ? nil : try call.choice(1, SwiftPrinter.ExpressionForm.self)
      let options = try call.options(isOptions ? 1 : 2, ["entity", "name"])
      try call.refuseMore(than: isOptions ? 1 : 2)
      let (entity, name) = (try options.entity("entity")?.entity, try options.string("name"))
      if let name, !SwiftPrinter.isName(name) { throw call.fail("'\(name)' is not a name in Swift") }
      if let entity { try bound.expression.check(in: entity) }
      let printer = SwiftPrinter(entity: entity, name: name)
      return .text(try printer.source(of: bound.expression, as: form ?? (entity == nil ? .nsexpression : .macro)))
    },
  ]
}

extension BoundExpression {
  /// The methods of objects that evaluate an expression.
  static let objectMethods: [ObjectMethod] = [
    ObjectMethod(
      "value", "object:value(keyPath)",
      "The value of a property, a key path or an expression such as `reports.@count`.", sandbox: .allowed,
      example: #"("reports.@count")"#
    ) { call, object, context in
      let expression = try Queries.Expression.parse(try call.expressionText(1))
      try expression.check(in: object.entity, for: .evaluation)
      context.noteRead(of: object)
      let value = try expression.evaluate(object)
      return .pushing { try context.push(evaluated: value, on: $0) }
    }
  ]

  static func luaClass(of engine: Engine) -> LuaClass<BoundExpression> {
    engine.classes.make(BoundExpression.self) { definition in
      definition.metamethod(.equal) { [unowned engine] stack in
        let (left, right) = (
          engine.classes.object(BoundExpression.self, at: 1, on: stack),
          engine.classes.object(BoundExpression.self, at: 2, on: stack)
        )
        stack.push(left != nil && left?.expression == right?.expression)
        return 1
      }
    }
  }
}
