internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

/// What a function or a member answers to a script. `Call.push` alone makes Lua's values of it.
enum Answer {
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
  /// A new table with these elements.
  indirect case list([Answer])
  /// A new table with these fields.
  indirect case record([(name: String, answer: Answer)])
  /// A table that prints as a text, with the name of its kind.
  indirect case printed(Answer, kind: String, text: String)
  /// Several values: `return a, b`.
  indirect case several([Answer])
  /// One value that a function pushes, such as an object in its context.
  case pushing((LuaStack) throws -> Void)
  /// This number of values that are on the top of the stack already: rows, which are too many to be made twice.
  case pushed(Int32)

  /// A list of strings.
  static func texts(_ texts: [String]) -> Answer { .value(.list(texts.map(Value.string))) }

  /// The answer that Lua has for no value.
  static var luaNil: Answer { .reference(nil) }
}

// The form of bodies that still push by hand.
extension Answer: ExpressibleByIntegerLiteral {
  init(integerLiteral count: Int32) { self = .pushed(count) }
}

extension Answer {
  /// The answer's one value, kept outside of the stack.
  func kept(in engine: Engine) throws -> LuaReference {
    let stack = engine.lua.stack
    stack.reserve(10)
    try Call(engine: engine, stack: stack, name: "").pushOne(self)
    return stack.popReference()
  }
}

extension Call {
  /// Pushes an answer and returns the number of its values.
  func push(_ answer: Answer) throws -> Int32 {
    switch answer {
    case .nothing: return 0
    case .several(let answers): return try answers.reduce(0) { try $0 + push($1) }
    case .pushed(let count): return count
    default:
      try pushOne(answer)
      return 1
    }
  }

  /// Pushes an answer of one value; nothing, or several, become nil or the first.
  fileprivate func pushOne(_ answer: Answer) throws {
    switch answer {
    case .nothing: stack.pushNil()
    case .boolean(let flag): stack.push(flag)
    case .integer(let number): number.map(stack.push) ?? stack.pushNil()
    case .number(let number): number.map(stack.push) ?? stack.pushNil()
    case .text(let text): text.map(stack.push) ?? stack.pushNil()
    case .value(let value): engine.push(value, on: stack)
    case .object(let object): if let object { engine.classes.push(object, on: stack) } else { stack.pushNil() }
    case .managedObject(let object, let context):
      if let object { try context.push(object, on: stack) } else { stack.pushNil() }
    case .reference(let value): if let value { stack.push(value) } else { stack.pushNil() }
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

  private func pushList(_ elements: [Answer]) throws {
    stack.reserve(4)
    stack.pushTable(array: Int32(clamping: elements.count))
    for (number, element) in elements.enumerated() {
      try pushOne(element)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
  }

  private func pushRecord(_ fields: [(name: String, answer: Answer)]) throws {
    stack.reserve(4)
    stack.pushTable(hash: Int32(clamping: fields.count))
    for (name, answer) in fields {
      try pushOne(answer)
      stack.rawSet(field: name, at: -2)
    }
  }
}
