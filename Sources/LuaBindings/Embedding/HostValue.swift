internal import LuaRuntime
public import Modeling
public import ObjectGraph

/// A value on its way between scripts and a function of the program around the engine.
public enum HostValue {
  /// Nothing, a boolean, a number, a text, bytes, a date, a decimal.
  case value(Value)
  /// A table of elements 1 to n, or an empty one.
  case list([HostValue])
  /// A table of named fields.
  case record([String: HostValue])
  /// An object of a store.
  case object(ManagedObject)
  /// An object of a type that the program describes.
  case instance(AnyObject)

  /// The kind of value in messages: `a string`.
  public var kindName: String {
    switch self {
    case .value(.null): "no value"
    case .value(.bool): "a boolean"
    case .value(.int), .value(.double): "a number"
    case .value(.string): "a string"
    case .value(let value): ErrorReport.article(value.kindName)
    case .list, .record: "a table"
    case .object(let object): ErrorReport.article(object.entity.name)
    case .instance(let object): ErrorReport.article("\(type(of: object))")
    }
  }
}

// The values of Lua.
extension HostValue {
  /// Reads the value at `index` of a call's stack.
  init(at index: Int32, of call: Call, depth: Int = 0) throws {
    let (engine, stack) = (call.engine, call.stack)
    switch stack.type(at: index) {
    case .none, .nil, .boolean, .number, .string: self = .value(stack.plainValue(at: index) ?? .null)
    case .table: self = try Self.table(at: stack.absolute(index), of: call, depth)
    case .userdata:
      if let instance = engine.hostTypes.instance(at: index, on: stack) {
        self = .instance(instance.object)
      } else if let object = engine.values.object(at: index, on: stack) {
        self = .object(object)
      } else if let value = try engine.values.value(at: index, on: stack, place: call.place) {
        self = .value(value)
      } else if let elements = try Self.elements(at: index, of: call) {
        self = .list(elements)
      } else {
        throw call.fail("a \(stack.typeName(at: index)) is nothing that a function of the program takes")
      }
    default: throw call.fail("a \(stack.typeName(at: index)) is nothing that a function of the program takes")
    }
  }

  private static func table(at index: Int32, of call: Call, _ depth: Int) throws -> HostValue {
    guard depth < Nesting.tables else { throw call.fail(.nestedTooDeeply) }
    let stack = call.stack
    stack.reserve(8)
    let count = stack.rawLength(at: index)
    var fields: [String: HostValue] = [:]
    var elementCount = 0
    try stack.forEachPair(at: index) { stack in
      if stack.isInteger(at: -2), let number = stack.integer(at: -2), number >= 1, number <= Int64(count) {
        elementCount += 1
      } else if stack.type(at: -2) == .string, let name = stack.string(at: -2) {
        fields[name] = try HostValue(at: stack.count, of: call, depth: depth + 1)
      } else {
        throw call.fail("a table with keys of type \(stack.typeName(at: -2)) is neither a list nor named fields")
      }
    }
    if elementCount == 0, count == 0 { return fields.isEmpty ? .list([]) : .record(fields) }
    guard fields.isEmpty, elementCount == Int(count) else {
      throw call.fail("a table with both names and numbers, or with holes, is neither a list nor named fields")
    }
    return .list(try stack.elements(at: index) { try HostValue(at: $0, of: call, depth: depth + 1) } ?? [])
  }

  /// The objects of a request, of a result or of a relationship; nil for another value.
  private static func elements(at index: Int32, of call: Call) throws -> [HostValue]? {
    switch try EngineValue(at: index, on: call.stack, in: call.engine) {
    case .collection(let objects, _): objects.map(HostValue.object)
    case .result(let result): try result.objectList().map(HostValue.object)
    case .request(let request, let context) where request.resultType == .objects:
      try context.fetch(request).objectList().map(HostValue.object)
    default: nil
    }
  }

  /// The value as a function returns it.
  func returned(in engine: Engine) throws -> ReturnValue {
    switch self {
    case .value(let value): .value(value)
    case .list(let elements): .list(try elements.map { try $0.returned(in: engine) })
    case .record(let fields):
      .record(try fields.sorted { $0.key < $1.key }.map { (name: $0.key, value: try $0.value.returned(in: engine)) })
    case .object(let object):
      if let context = engine.stores.contexts.first(where: { $0.objectContext === object.context }) {
        .managedObject(object, context)
      } else {
        throw ScriptError(object.entity.name, .other("the object is of a context that scripts do not have"))
      }
    case .instance(let object): .pushing { try engine.hostTypes.push(object, on: $0) }
    }
  }
}
