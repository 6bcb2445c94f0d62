internal import LuaRuntime
internal import Modeling
internal import Reactive

/// A Lua value in a preference file's form; nil if there is none.
struct StoredScriptValue: PreferenceRepresentable {
  var value: PreferenceValue?

  init(_ value: PreferenceValue?) { self.value = value }

  init?(preferenceValue: PreferenceValue) { value = preferenceValue }

  /// Nil is never written: setting nil removes the value from the file.
  var preferenceValue: PreferenceValue { value ?? .list([]) }

  /// A default without a value accepts any type.
  func accepts(_ other: StoredScriptValue) -> Bool { value == nil || scriptTypeName == other.scriptTypeName }

  /// The name of the type in Lua.
  var scriptTypeName: String { value.map { PreferenceProblem.scriptName(ofType: $0.typeName) } ?? "nil" }
}

extension PreferenceProblem {
  /// The name in Lua of a type in the file.
  static func scriptName(ofType name: String) -> String {
    switch name {
    case "bool": "boolean"
    case "int", "double": "number"
    case "data": "string"
    case "date": "Date"
    case "list", "dictionary": "table"
    default: name
    }
  }
}

extension LuaValues {
  /// Pushes a stored value; tables are new.
  func push(stored: StoredScriptValue, on stack: LuaStack) {
    if let value = stored.value { push(preference: value, on: stack) } else { stack.pushNil() }
  }

  func reference(toStored value: StoredScriptValue) -> LuaReference {
    push(stored: value, on: engine.lua.stack)
    return engine.lua.stack.popReference()
  }

  private func push(preference: PreferenceValue, on stack: LuaStack) {
    stack.reserve(4)
    switch preference {
    case .bool(let flag): stack.push(flag)
    case .int(let number): stack.push(number)
    case .double(let number): stack.push(number)
    case .string(let text): stack.push(text)
    case .data(let bytes): stack.push(bytes)
    case .date(let seconds): dates.push(seconds, on: stack)
    case .list(let values):
      stack.pushTable(array: Int32(clamping: values.count))
      for (number, value) in values.enumerated() {
        push(preference: value, on: stack)
        stack.rawSet(element: Int64(number + 1), at: -2)
      }
    case .dictionary(let values):
      stack.pushTable(hash: Int32(clamping: values.count))
      for (name, value) in values {
        push(preference: value, on: stack)
        stack.rawSet(field: name, at: -2)
      }
    }
  }

  /// The value at `index` in a preference file's form.
  ///
  /// - Throws: ScriptError for values that a file cannot contain: functions, objects, tables with mixed keys.
  func storedValue(at index: Int32, on stack: LuaStack, place: String) throws -> StoredScriptValue {
    if stack.isNoneOrNil(at: index) { return StoredScriptValue(nil) }
    return StoredScriptValue(try preference(at: index, on: stack, place: place, depth: 0))
  }

  private func preference(at index: Int32, on stack: LuaStack, place: String, depth: Int) throws -> PreferenceValue {
    switch stack.type(at: index) {
    case .boolean: return .bool(stack.bool(at: index))
    case .number:
      return stack.isInteger(at: index) ? .int(stack.integer(at: index) ?? 0) : .double(stack.number(at: index) ?? 0)
    case .string: return stack.string(at: index).map(PreferenceValue.string) ?? .data(stack.bytes(at: index) ?? [])
    case .table: return try table(at: stack.absolute(index), on: stack, place: place, depth: depth)
    default:
      if let seconds = dates.payload(at: index, on: stack) { return .date(seconds) }
      throw ScriptError(
        place, .expected("a boolean, number, string, Date or table of such", found: stack.typeName(at: index)))
    }
  }

  private func table(at index: Int32, on stack: LuaStack, place: String, depth: Int) throws -> PreferenceValue {
    guard depth < Nesting.tables else { throw ScriptError(place, .nestedTooDeeply) }
    stack.reserve(8)
    let count = stack.rawLength(at: index)
    var list: [PreferenceValue?] = Array(repeating: nil, count: count)
    var members: [String: PreferenceValue] = [:]
    try stack.forEachPair(at: index) { stack in
      let value = try preference(at: stack.count, on: stack, place: place, depth: depth + 1)
      if stack.isInteger(at: -2), let number = stack.integer(at: -2), number >= 1, number <= Int64(count) {
        list[Int(number) - 1] = value
      } else if stack.type(at: -2) == .string, let name = stack.string(at: -2) {
        members[name] = value
      } else {
        throw ScriptError(place, .other("a table with keys of type \(stack.typeName(at: -2)) cannot be kept"))
      }
    }
    let elements = list.compactMap { $0 }
    guard elements.count == count, members.isEmpty || count == 0 else {
      throw ScriptError(place, .other("a table with both names and numbers, or with holes, cannot be kept"))
    }
    return members.isEmpty ? .list(elements) : .dictionary(members)
  }
}
