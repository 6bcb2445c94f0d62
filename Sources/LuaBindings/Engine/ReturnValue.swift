internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

/// What a function or a member returns to a script. `Call.push` alone makes Lua's values of it.
enum ReturnValue {
  case nothing
  case boolean(Bool)
  /// An integer, or nil.
  case integer(Int?)
  /// A number, or nil.
  case number(Double?)
  /// A string, or nil.
  case text(String?)
  /// A value of an attribute; a null is nil.
  case value(Value)
  /// A value of a kind, or nil.
  case object((any Bound)?)
  /// An object in its context, or nil.
  case managedObject(ManagedObject?, BoundContext)
  /// A value of Lua that was kept, or nil.
  case reference(LuaReference?)
  /// A new function, such as an iterator, which returns the number of values that it pushed.
  case function((LuaStack) throws -> Int32)
  /// A new table with these elements.
  indirect case list([ReturnValue])
  /// A new table with these fields.
  indirect case record([(name: String, value: ReturnValue)])
  /// A table that prints as a text, with the name of its kind.
  indirect case printed(ReturnValue, kind: String, text: String)
  /// Several values: `return a, b`.
  indirect case several([ReturnValue])
  /// One value that a function pushes, such as an object in its context.
  case pushing((LuaStack) throws -> Void)
  /// This number of values that are on the top of the stack already: rows, which are too many to be made twice.
  case pushed(Int32)

  /// A list of strings.
  static func texts(_ texts: [String]) -> ReturnValue { .value(.list(texts.map(Value.string))) }

  /// The value that Lua has for no value.
  static var luaNil: ReturnValue { .reference(nil) }
}

extension ReturnValue {
  /// The one value, kept outside of the stack.
  func kept(in engine: Engine) throws -> LuaReference {
    let stack = engine.lua.stack
    stack.reserve(10)
    try Call(engine: engine, stack: stack, name: "").pushOne(self)
    return stack.popReference()
  }
}

extension Call {
  /// Pushes a function's values and returns their number.
  func push(_ value: ReturnValue) throws -> Int32 {
    switch value {
    case .nothing: return 0
    case .several(let values): return try values.reduce(0) { try $0 + push($1) }
    case .pushed(let count): return count
    default:
      try pushOne(value)
      return 1
    }
  }

  /// Pushes one value; nothing becomes nil.
  fileprivate func pushOne(_ value: ReturnValue) throws {
    switch value {
    case .nothing: stack.pushNil()
    case .boolean(let flag): stack.push(flag)
    case .integer(let number): number.map(stack.push) ?? stack.pushNil()
    case .number(let number): number.map(stack.push) ?? stack.pushNil()
    case .text(let text): text.map(stack.push) ?? stack.pushNil()
    case .value(let value): engine.values.push(value, on: stack)
    case .object(let object): if let object { engine.classes.push(object, on: stack) } else { stack.pushNil() }
    case .managedObject(let object, let context):
      if let object { try context.push(object, on: stack) } else { stack.pushNil() }
    case .reference(let value): if let value { stack.push(value) } else { stack.pushNil() }
    case .function(let body): stack.pushFunction(body)
    case .list(let elements): try pushList(elements)
    case .record(let fields): try pushRecord(fields)
    case .printed(let table, let kind, let text):
      try pushOne(table)
      stack.reserve(4)
      stack.setText(text, kind: kind)
    case .pushing(let push): try push(stack)
    case .several, .pushed: preconditionFailure("an element of a table is one value")
    }
  }

  private func pushList(_ elements: [ReturnValue]) throws {
    stack.reserve(10)
    stack.pushTable(array: Int32(clamping: elements.count))
    for (number, element) in elements.enumerated() {
      try pushOne(element)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
  }

  private func pushRecord(_ fields: [(name: String, value: ReturnValue)]) throws {
    stack.reserve(10)
    stack.pushTable(hash: Int32(clamping: fields.count))
    for (name, value) in fields {
      try pushOne(value)
      stack.rawSet(field: name, at: -2)
    }
  }
}
