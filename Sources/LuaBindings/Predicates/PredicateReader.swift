public import LuaRuntime
internal import Modeling
public import Queries
internal import SwiftReading

/// Reads the predicates, sort descriptors and expressions in the values of scripts: objects, texts in the format language,
/// and Swift source.
public struct PredicateReader {
  unowned let engine: Engine

  /// The predicate in one value: a Predicate, a format string, or a table `{ "format", arguments... }`; nil for other
  /// values.
  func predicate(
    at index: Int32, on stack: LuaStack, place: String, in entity: Entity? = nil
  ) throws -> Queries.Predicate? {
    if let bound = engine.classes.object(BoundPredicate.self, at: index, on: stack) { return bound.predicate }
    if stack.type(at: index) == .string, let format = stack.string(at: index) {
      if SwiftOpening.isSource(format) { return try predicate(swift: format, in: entity) }
      return try predicate(reading: format, [], in: entity)
    }
    guard stack.type(at: index) == .table else { return nil }
    stack.reserve(6)
    stack.rawGet(element: 1, at: index)
    let format = stack.string(at: -1)
    stack.pop()
    guard let format else { throw ScriptError(place, .other("a predicate in a table begins with its format string")) }
    if SwiftOpening.isSource(format) {
      if stack.rawLength(at: index) > 1 { throw ScriptError(place, .swiftTakesNoArguments) }
      return try predicate(swift: format, in: entity)
    }
    let arguments = try stack.elements(at: index) { element -> PredicateArgument in
      .value(try argument(at: element, on: stack, place: place))
    }
    return try predicate(reading: format, Array((arguments ?? []).dropFirst()), in: entity)
  }

  /// Parses a format string. If the text can be parsed, the request reports wrong names, together with those of its
  /// other parts.
  func predicate(
    reading format: String, _ arguments: [PredicateArgument], in entity: Entity?
  ) throws -> Queries.Predicate {
    guard let entity else { return try Queries.Predicate.parse(format, arguments: arguments) }
    if let predicate = try? Queries.Predicate.parse(format, arguments: arguments) { return predicate }
    throw PredicateError(issues: Queries.Predicate.diagnose(format, arguments: arguments, in: entity).issues)
  }

  /// The value at `index` as an argument of a predicate: tables are lists, those with names JSON.
  func argument(at index: Int32, on stack: LuaStack, place: String, depth: Int = 0) throws -> Value {
    if stack.type(at: index) == .table {
      guard depth < Nesting.tables else { throw ScriptError(place, .nestedTooDeeply) }
      if stack.rawLength(at: index) == 0,
        case .json(.object(let members))? = try engine.values.value(
          at: index, on: stack, place: place), !members.isEmpty
      {
        return .json(.object(members))
      }
      let list = try stack.elements(at: index) { try argument(at: $0, on: stack, place: place, depth: depth + 1) }
      return .list(list ?? [])
    }
    if let list = try engine.values.argumentList(at: index, on: stack) { return .list(list) }
    guard let value = try engine.values.value(at: index, on: stack, place: place) else {
      throw ScriptError(
        place, .other("\(ErrorReport.article(stack.typeName(at: index))) cannot be an argument of a predicate"))
    }
    return value
  }

  /// The predicate in Swift source; `entity` is its entity, if known.
  func predicate(swift text: String, in entity: Entity?) throws -> Queries.Predicate {
    try Queries.Predicate(swift: text, in: engine.globals.store?.objectStore.model, of: entity)
  }

  /// The sort descriptor in a value: a SortDescriptor, or a key path with `-` for descending; nil for other values.
  func sortDescriptor(at index: Int32, on stack: LuaStack) throws -> Queries.SortDescriptor? {
    if let bound = engine.classes.object(BoundSortDescriptor.self, at: index, on: stack) { return bound.descriptor }
    return try expressionText(at: index, on: stack).map { try SortDescriptorFunctions.parse($0) }
  }

  /// The sort descriptors in a value: one, or a list of them; nil for other values.
  func sortDescriptorList(at index: Int32, on stack: LuaStack) throws -> [Queries.SortDescriptor]? {
    if let single = try sortDescriptor(at: index, on: stack) { return [single] }
    let list = try stack.elements(at: index) { try sortDescriptor(at: $0, on: stack) }
    guard let list, !list.contains(where: { $0 == nil }) else { return nil }
    return list.compactMap { $0 }
  }

  /// The text, in the format language, of the expression in a value: a string, Swift's `#Expression`, or an Expression;
  /// nil for other values.
  public func expressionText(at index: Int32, on stack: LuaStack) throws -> String? {
    if let bound = engine.classes.object(BoundExpression.self, at: index, on: stack) { return bound.expression.format }
    guard stack.type(at: index) == .string else { return nil }
    return try stack.string(at: index).map { try expressionText($0) }
  }

  /// The text of an expression in the format language; `text` may be Swift's `#Expression`.
  func expressionText(_ text: String) throws -> String {
    guard SwiftOpening(of: text) == .expression else { return text }
    return try Queries.Expression(swift: text, in: engine.globals.store?.objectStore.model).format
  }

  /// Returns a predicate with its variables bound to the values of a Lua table that has them.
  public func bind(_ predicate: Predicate, _ values: LuaReference) throws -> Predicate {
    let stack = engine.lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(6)
    stack.push(values)
    var found = PredicateVariables()
    for name in predicate.variables {
      let type = stack.rawGet(field: name, at: -1)
      if type != .nil {
        found.values[name] = try argument(at: stack.absolute(-1), on: stack, place: "$\(name)")
        found.objects[name] = engine.values.object(at: stack.absolute(-1), on: stack)
      }
      stack.pop()
    }
    return try predicate.bind(found)
  }
}

extension Engine {
  /// Reads the predicates, sort descriptors and expressions of scripts.
  public var predicates: PredicateReader { PredicateReader(engine: self) }
}
