package import Comparison
internal import Modeling
internal import SwiftReading

/// Writes a script that makes the objects of the first store those of the second, through a context.
///
/// New objects come first, so that others can lead to them; deletions come last, so that no rule deletes what was moved
/// elsewhere. Memory is in proportion to the differences.
package struct DifferenceScript {
  private var changes: [(difference: ObjectDifference, entity: Entity)] = []
  private var created: [ObjectName: Int] = [:]
  private let comparison: StoreComparison

  package init(_ comparison: StoreComparison) { self.comparison = comparison }

  /// Adds a difference; returns false for one that the script leaves, because its object is not compared.
  package mutating func add(_ difference: ObjectDifference) -> Bool {
    guard difference.isComparable, let entity = comparison.entity(of: difference)?.first else { return false }
    if difference.kind == .inserted {
      created[ObjectName(entity, difference.identity)] = created.count + 1
    }
    changes.append((difference, entity))
    return true
  }

  /// Calls `body` with each line.
  package func write(_ body: (String) throws -> Void) rethrows {
    guard !changes.isEmpty else { return }
    for line in Self.head.split(separator: "\n") { try body(String(line)) }
    let inserted = changes.filter { $0.difference.kind == .inserted }
    for (difference, entity) in inserted {
      let fields = difference.properties.compactMap { property -> String? in
        guard case .value(let value) = property.new else { return nil }
        return "\(Self.key(property.name)) = \(value.luaSource)"
      }
      let made = fields.isEmpty ? " {}" : " { \(fields.joined(separator: ", ")) }"
      try body("\(name(entity, difference.identity)) = \(Self.entity(entity))\(made)")
    }
    for (difference, entity) in inserted {
      let owner = name(entity, difference.identity)
      for property in difference.properties {
        if let line = setting(property, of: owner, entity, isNew: true) { try body(line) }
      }
    }
    for (difference, entity) in changes where difference.kind == .updated {
      let owner = name(entity, difference.identity)
      for property in difference.properties { try body(line(property, of: owner, entity)) }
    }
    for (difference, entity) in changes where difference.kind == .deleted {
      try body("delete(\(arguments(entity, difference.identity)))")
    }
    try body("context:save()")
  }

  private static let head = """
    local new = {}
    -- The object of an entity with the values of properties, or with a key.
    local function known(name, ...)
      local entity, values, found = store.entities[name], { ... }, nil
      if #values == 1 then return entity:find(...) end
      for i = 1, #values, 2 do found = (found or entity:all()):where("%K == %@", values[i], values[i + 1]) end
      return found:first()
    end
    local function find(name, ...)
      return known(name, ...) or error("the store has no " .. name .. " " .. tostring(select(-1, ...)), 2)
    end
    local function delete(name, ...)
      local object = known(name, ...)
      if object then object:delete() end
    end
    """

  // MARK: Lines

  private func line(_ property: PropertyDifference, of owner: String, _ entity: Entity) -> String {
    if case .value(let value) = property.new { return "\(owner)\(Self.field(property.name)) = \(value.luaSource)" }
    return setting(property, of: owner, entity, isNew: false) ?? ""
  }

  /// The line that sets a relationship; nil for an attribute.
  private func setting(_ property: PropertyDifference, of owner: String, _ entity: Entity, isNew: Bool) -> String? {
    guard let index = entity.index(of: property.name), entity.properties[index].relationship != nil else { return nil }
    let (destination, place) = (entity.destination(at: index), owner + Self.field(property.name))
    switch (property.old, property.new) {
    case (_, .object(let reference)):
      return "\(place) = \(reference.map { name(destination, $0.identity) } ?? "nil")"
    case (.objects(let old), .objects(let new)):
      if isNew || entity.properties[index].relationship?.isOrdered == true {
        return "\(place) = { \(new.map { name(destination, $0.identity) }.joined(separator: ", ")) }"
      }
      let changes = MemberChanges(old, new)
      let calls =
        changes.inserted.map { "\(place):add(\(name(destination, $0.identity)))" }
        + changes.removed.map { "\(place):remove(\(name(destination, $0.identity)))" }
      return calls.joined(separator: " ")
    default: return nil
    }
  }

  /// The expression for an object: a new one, or one that is found.
  private func name(_ entity: Entity, _ identity: [Value]) -> String {
    if let number = created[ObjectName(entity, identity)] { return "new[\(number)]" }
    return "find(\(arguments(entity, identity)))"
  }

  private func arguments(_ entity: Entity, _ identity: [Value]) -> String {
    let indices = comparison.identity(of: entity) ?? []
    let values = indices.isEmpty ? identity : zip(indices, identity).map { $1 }
    let sources = values.enumerated().map { place, value in
      guard indices.indices.contains(place), entity.properties[indices[place]].relationship != nil else {
        return value.luaSource
      }
      return name(entity.destination(at: indices[place]), [value])
    }
    let names = indices.map { entity.properties[$0].name.quotedForLua }
    let parts = names.isEmpty ? sources : zip(names, sources).flatMap { [$0, $1] }
    return ([entity.name.quotedForLua] + parts).joined(separator: ", ")
  }

  private static func entity(_ entity: Entity) -> String { "store.entities\(field(entity.name))" }
  private static func field(_ name: String) -> String { LuaSource.isName(name) ? ".\(name)" : "[\(name.quotedForLua)]" }
  private static func key(_ name: String) -> String { LuaSource.isName(name) ? name : "[\(name.quotedForLua)]" }
}

extension Value {
  /// The value as an expression of Lua.
  fileprivate var luaSource: String {
    switch self {
    case .json(let json): "decodeJSON(\(json.text.quotedForLua))"
    case .int(.min): "math.mininteger"
    case .double(let number) where number.isNaN: "0/0"
    case .double(let number) where number.isInfinite: number < 0 ? "-math.huge" : "math.huge"
    case .data: String(debugText.dropFirst("Data ".count))
    default: debugText
    }
  }
}
