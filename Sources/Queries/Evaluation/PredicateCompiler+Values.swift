internal import Modeling

extension PredicateCompiler {
  /// Compiles an expression with a single value.
  mutating func value(_ expression: Expression) throws(PredicateError) -> Evaluator {
    switch expression {
    case .constant(let value), .argument(let value, _): return { _ in value }
    case .object: return { .object($0.subject.objectID) }
    case .path(let path): return try value(of: path, from: .subject, in: entity)
    case .variable(let name, let origin):
      let index = try variable(name, origin).index
      return { $0.elements[index].value }
    case .variablePath(let name, let path):
      let variable = try variable(name, path.origin)
      guard let entity = variable.entity else { return { _ in .null } }
      return try value(of: path, from: .element(variable.index), in: entity)
    case .function(let function, let arguments, _): return try call(function, arguments)
    case .collection(let function, let source, let key): return try aggregate(function, source, key)
    case .subscripted(let source, let position): return try element(position, of: source)
    case .ternary(let predicate, let first, let second):
      let (condition, first, second) = (try condition(predicate), try value(first), try value(second))
      return { frame in try condition(frame) == true ? try first(frame) : try second(frame) }
    case .cast(let operand, let type):
      let operand = try value(operand)
      return { frame in try type.convert(operand(frame)) ?? .null }
    case .aggregate, .subquery: return try valueOrList(expression)
    }
  }

  /// Compiles an expression with a single value, or a collection as a list of values.
  mutating func valueOrList(_ expression: Expression) throws(PredicateError) -> Evaluator {
    if case .constant(let value) = expression { return { _ in value } }
    guard let elements = try elements(expression) else { return try value(expression) }
    return { frame in .list(try elements(frame).map(\.value)) }
  }

  func variable(_ name: String, _ origin: Origin?) throws(PredicateError) -> (index: Int, entity: Entity?) {
    guard let variable = scope[name] else {
      throw PredicateError(.unboundVariable(name, nearest: nearestName(to: name, in: scope.keys)), at: origin)
    }
    return variable
  }

  private mutating func call(
    _ function: ExpressionFunction, _ arguments: [Expression]
  ) throws(PredicateError) -> Evaluator {
    if function == .entityName, arguments.count == 1 { return try entityName(of: arguments[0]) }
    var values: [Evaluator] = []
    for argument in arguments { values.append(try valueOrList(argument)) }
    switch (function, values.count) {
    case (_, 1):
      let argument = values[0]
      return { frame in function.evaluate([try argument(frame)]) }
    case (.add, 2), (.subtract, 2), (.multiply, 2), (.divide, 2):
      let (left, right) = (values[0], values[1])
      return { frame in function.arithmetic(try left(frame), try right(frame)) }
    default:
      return { [values] frame in
        var arguments: [Value] = []
        for value in values { arguments.append(try value(frame)) }
        return function.evaluate(arguments)
      }
    }
  }

  /// The name of an object's entity; nil for a value, and if there is no object.
  private func entityName(of expression: Expression) throws(PredicateError) -> Evaluator {
    let object: (Frame) throws -> (any PredicateSubject)?
    switch expression {
    case .object: object = { $0.subject }
    case .variable(let name, let origin):
      let start = Start.element(try variable(name, origin).index)
      object = { start.object($0) }
    case .path(let path): object = try self.object(atEndOf: path, from: .subject, in: entity)
    case .variablePath(let name, let path):
      let variable = try variable(name, path.origin)
      guard let entity = variable.entity else { return { _ in .null } }
      object = try self.object(atEndOf: path, from: .element(variable.index), in: entity)
    case .constant(let value), .argument(let value, _):
      let name = ExpressionFunction.entityName.evaluate([value])
      return { _ in name }
    default: return { _ in .null }
    }
    return { frame in try object(frame).map { .string($0.entity.name) } ?? .null }
  }
}
