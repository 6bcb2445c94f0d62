internal import Foundation
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

/// `encodeJSON(value [, { pretty = true }])` and `decodeJSON(text)`
enum JSONFunctions {
  static let entries: [CatalogEntry] = [
    CatalogEntry(
      kind: .option, owner: "encodeJSON", name: "pretty", signature: "pretty = ...",
      summary: "true for a line for each element, indented.",
      example: #"encodeJSON({ place = "Suva", depths = { 10, 35 } }, { pretty = true })"#)
  ]

  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "encodeJSON", "encodeJSON(value [, { pretty = true }]) -> string",
      "A table, a plain value, an object or a list of objects as JSON; `null` in a table is JSON's null.",
      sandbox: .allowed, example: #"encodeJSON({ place = "Suva", depths = { 10, 35 } }, { pretty = true })"#
    ) { call in
      if call.count == 0 { throw call.fail("expected a value, got no value") }
      try call.refuseMore(than: 2)
      let isPretty = try call.options(2, ["pretty"]).bool("pretty") ?? false
      let json = try json(at: call.index(1), call)
      guard json.isFinite else { throw call.fail("JSON has no infinity and no NaN") }
      return .text(isPretty ? json.indentedText : json.text)
    },
    GlobalFunction(
      "decodeJSON", "decodeJSON(text) -> value",
      "The value of a JSON text: tables, strings, numbers and booleans; JSON's null is `null`, by itself nil.",
      sandbox: .allowed, example: #"decodeJSON('{ "place": "Suva" }').place"#
    ) { call in
      let text = try call.string(1, "JSON in valid UTF-8")
      try call.refuseMore(than: 1)
      let json: JSON
      do throws(JSONError) { json = try JSON.parse(text) } catch {
        throw call.fail(error.sentence)
      }
      return json == .null ? .luaNil : .value(.json(json))
    },
  ]
}

extension JSONFunctions {
  /// A value as JSON: objects as their attributes and the keys of their to-ones, as in files.
  private static func json(at index: Int32, _ call: Call) throws -> JSON {
    let stack = call.stack
    switch try EngineValue(at: index, on: stack, in: call.engine) {
    case .object(let object): return try json(object)
    case .result(let result): return .array(try (0..<result.count).map { try json(result[$0]) })
    case .collection(let members, _): return .array(try members.map(json))
    case .live(let results, nil): return .array(try results.map(json))
    default: break
    }
    if let value = try call.engine.values.value(at: index, on: stack, place: call.place), let json = JSON(value) {
      return json
    }
    throw call.fail(.expected("a table, a plain value or objects", found: stack.typeName(at: index)))
  }

  private static func json(_ object: ManagedObject) throws -> JSON {
    var members: [String: JSON] = [:]
    for (index, property) in object.entity.properties.enumerated() {
      if property.attribute != nil {
        members[property.name] = JSON(try object.attribute(at: index)) ?? .null
      } else if property.relationship?.isToMany == false {
        members[property.name] = try object.related(at: index).map(key) ?? .null
      }
    }
    return .object(members)
  }

  /// What a to-one says of its target: its key, in a list where that has several columns; nothing of an unsaved one.
  private static func key(_ target: ManagedObject) throws -> JSON {
    let id = target.objectID
    if id.isTemporary { return .null }
    let values = target.context.store.keyValues(of: id.entity, key: id.key).map { JSON($0) ?? .null }
    return values.count == 1 ? values[0] : .array(values)
  }
}
