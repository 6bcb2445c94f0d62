internal import LuaRuntime
internal import Modeling

internal import struct Foundation.Decimal
internal import struct Foundation.UUID

/// The values of scripts and those of the engine, each made from the other: attributes, JSON, composites, object IDs and objects.
///
///     engine.values.push(.date(.now), on: stack)
///     let value = try engine.values.value(at: -1, on: stack, place: "Quake.time")
final class LuaValues {
  /// The engine, which holds the values. Not weak or counted: every pushed value would pay for it.
  unowned(unsafe) var engine: Engine!
  /// The classes of objects of all contexts.
  let objectClasses = ObjectClassRegistry()

  // The Lua classes of values, which are needed with every value.
  lazy var nulls = engine.classes[NullValue.self]
  lazy var null = NullValue.reference(in: engine)
  lazy var dates = DateFunctions.makeClass(of: engine)
  lazy var decimals = engine.classes[BoundDecimal.self]
  lazy var objectIDs = engine.classes[BoundObjectID.self]

  /// Pushes the value in its Lua form: text, UUIDs, URLs and data as strings, JSON as a new table.
  func push(_ value: Value, on stack: LuaStack) {
    switch value {
    case .null: stack.pushNil()
    case .bool(let flag): stack.push(flag)
    case .int(let number): stack.push(number)
    case .double(let number): stack.push(number)
    case .string(let text), .url(let text): stack.push(text)
    case .data(let bytes): stack.push(bytes)
    case .uuid: stack.push(value.displayText)
    case .date(let instant): dates.push(instant.seconds, on: stack)
    case .decimal(let number): decimals.push(BoundDecimal(number), on: stack)
    case .json(let json): push(json, on: stack)
    case .object(let id): push(id: id, on: stack)
    case .list(let values): pushList(values, on: stack)
    }
  }

  /// Pushes an object ID, with its URL if the object belongs to a Core Data store.
  func push(id: ObjectID, on stack: LuaStack) {
    let store = engine.stores.all.first { $0.objectStore.model.entity(named: id.entity.name) === id.entity }
    objectIDs.push(BoundObjectID(id, uri: store?.objectStore.uri(of: id)), on: stack)
  }

  private func pushList(_ values: [Value], on stack: LuaStack) {
    stack.reserve(4)
    stack.pushTable(array: Int32(clamping: values.count))
    for (number, value) in values.enumerated() {
      if value.isNull { stack.push(null) } else { push(value, on: stack) }
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
  }

  /// Pushes JSON as a table, or a plain value; its nulls become `null`.
  func push(_ json: JSON, on stack: LuaStack) {
    stack.reserve(4)
    switch json {
    case .null: stack.push(null)
    case .bool(let flag): stack.push(flag)
    case .int(let number): stack.push(number)
    case .double(let number): stack.push(number)
    case .string(let text): stack.push(text)
    case .array(let elements):
      stack.pushTable(array: Int32(clamping: elements.count))
      for (number, element) in elements.enumerated() {
        push(element, on: stack)
        stack.rawSet(element: Int64(number + 1), at: -2)
      }
    case .object(let members):
      stack.pushTable(hash: Int32(clamping: members.count))
      for (name, member) in members {
        push(member, on: stack)
        stack.rawSet(field: name, at: -2)
      }
    }
  }

  /// The value at `index` for an attribute; nil for a value that no attribute can have, such as a function.
  ///
  /// A table is JSON here, and a list for `argument(at:)`.
  ///
  /// - Throws: ScriptError for a table that is not JSON.
  func value(at index: Int32, on stack: LuaStack, place: @autoclosure () -> String) throws -> Value? {
    if let value = stack.plainValue(at: index) { return value }
    switch stack.type(at: index) {
    case .table: return .json(try json(at: index, on: stack, place: place(), depth: 0))
    case .userdata: return userdataValue(at: index, on: stack)
    default: return nil
    }
  }

  /// The decimal of a Decimal or a number.
  func decimal(at index: Int32, on stack: LuaStack) -> Decimal? {
    if let boxed = decimals.object(at: index, on: stack) { return boxed.number }
    if stack.isInteger(at: index), let whole = stack.integer(at: index) { return Decimal(whole) }
    return stack.number(at: index).flatMap { Decimal(shortest: $0) }
  }

  private func userdataValue(at index: Int32, on stack: LuaStack) -> Value? {
    if let seconds = dates.payload(at: index, on: stack) { return .date(Timestamp(seconds)) }
    if let decimal = decimals.object(at: index, on: stack) { return .decimal(decimal.number) }
    if nulls.object(at: index, on: stack) != nil { return .null }
    if let id = objectIDs.object(at: index, on: stack) { return .object(id.id) }
    return objectID(at: index, on: stack).map(Value.object)
  }

  /// A table as JSON: a list if it has only elements 1...n, otherwise an object.
  private func json(at index: Int32, on stack: LuaStack, place: @autoclosure () -> String, depth: Int) throws -> JSON {
    guard depth < Nesting.tables else { throw ScriptError(place(), .nestedTooDeeply) }
    stack.reserve(8)
    let count = stack.rawLength(at: index)
    var members: [String: JSON] = [:]
    var elements = 0
    try stack.forEachPair(at: index) { stack in
      if stack.isInteger(at: -2), let number = stack.integer(at: -2), (1...Int64(max(count, 1))).contains(number) {
        elements += 1
      } else if stack.type(at: -2) == .string, let name = stack.string(at: -2) {
        members[name] = try jsonElement(at: stack.count, on: stack, place: place(), depth: depth)
      } else {
        throw ScriptError(place(), .other("a table with keys of type \(stack.typeName(at: -2)) is no JSON"))
      }
    }
    if elements == 0 { return .object(members) }
    guard members.isEmpty, elements == count else {
      throw ScriptError(place(), .other("a table with both names and numbers, or with holes, is no JSON"))
    }
    return .array(
      try stack.elements(at: index) { try jsonElement(at: $0, on: stack, place: place(), depth: depth) } ?? [])
  }

  private func jsonElement(at index: Int32, on stack: LuaStack, place: @autoclosure () -> String, depth: Int) throws
    -> JSON
  {
    if stack.type(at: index) == .table { return try json(at: index, on: stack, place: place(), depth: depth + 1) }
    guard let value = try value(at: index, on: stack, place: place()), let json = JSON(value) else {
      throw ScriptError(place(), .other("a \(stack.typeName(at: index)) is no JSON"))
    }
    return json
  }

  /// Whether two Lua values are identical, or equal dates or numbers: then an assignment changes nothing.
  func areSame(_ left: LuaReference, _ right: LuaReference) -> Bool {
    if engine.lua.isClosed { return true }
    let stack = engine.lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(6)
    stack.push(left)
    stack.push(right)
    let (first, second) = (stack.absolute(-2), stack.absolute(-1))
    if stack.rawEqual(first, second) { return true }
    guard stack.type(at: first) == .userdata, stack.type(at: second) == .userdata,
      let one = try? value(at: first, on: stack, place: ""), let other = try? value(at: second, on: stack, place: "")
    else { return false }
    return one == other
  }
}

extension LuaStack {
  /// The value at `index` if it is of Lua itself: nothing, a boolean, a number or a string; nil for anything else.
  @inline(__always)
  func plainValue(at index: Int32) -> Value? {
    switch type(at: index) {
    case .none, .nil: .null
    case .boolean: .bool(bool(at: index))
    case .number: isInteger(at: index) ? .int(integer(at: index) ?? 0) : .double(number(at: index) ?? 0)
    case .string: text(at: index)
    default: nil
    }
  }

  /// The string at `index` as text, or as bytes if it is no UTF-8.
  func text(at index: Int32) -> Value? {
    if let text = string(at: index) { return .string(text) }
    return bytes(at: index).map(Value.data)
  }
}
