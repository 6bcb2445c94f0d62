internal import Foundation
internal import Modeling

// The classes of a model: each entity with its objects, requests and results.
extension Annotations {
  func entities(_ model: Model) -> [String] {
    let classes = classNames(model)
    let list = model.entities.map { "---@field \(Self.key($0.name)) \(classes[$0.name] ?? "").Entity" }
    let members = membersOfEntities
    return [(["---@class perilune.Entities"] + list).joined(separator: "\n")]
      + model.entities.flatMap { parts(of: $0, classes, members) }
  }

  /// What stands for the class name of an entity's objects in lines that all entities have.
  private static let hole = "\u{F8FF}"

  /// The lines of each kind that name the class of an entity's objects, made once for all entities.
  private var membersOfEntities: [String: [String]] {
    var types = types
    types.object = Self.hole
    var lines: [String: [String]] = [:]
    for owner in AnnotatedTypes.ofEntities {
      // Calls of an entity and of its requests return its own classes; the rest is as for any entity.
      let general = Set(fields(of: owner, self.types))
      let own = fields(of: owner, types).filter { !general.contains($0) }
      lines[owner] = own + (owner == "Object" ? [] : elements(of: owner, types))
    }
    return lines
  }

  /// The class name of each entity's objects: the entity's name, reduced to characters that LuaCATS allows.
  private func classNames(_ model: Model) -> [String: String] {
    var taken: Set = [
      "any", "boolean", "function", "integer", "lightuserdata", "nil", "number", "perilune", "self", "string", "table",
      "thread", "unknown",
      "userdata",
    ]
    var names: [String: String] = [:]
    for entity in model.entities {
      let letters = entity.name.unicodeScalars.map { scalar in
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_" ? String(scalar) : "_"
      }
      var name = letters.joined()
      while !taken.insert(name).inserted { name += "_" }
      names[entity.name] = name
    }
    return names
  }

  private func parts(of entity: Entity, _ classes: [String: String], _ members: [String: [String]]) -> [String] {
    let name = classes[entity.name] ?? ""
    func lines(of owner: String) -> [String] {
      (members[owner] ?? []).map { $0.replacingOccurrences(of: Self.hole, with: name) }
    }
    let parent = entity.parent.flatMap { classes[$0.name] }
    var found = [
      "---@alias \(name).Key string" + keys(of: entity).map { "|\(Self.quoted($0))|\(Self.quoted("-" + $0))" }.joined()
    ]
    found += choices(of: entity, name)
    found.append(
      (["---@class \(name) : \(parent ?? "perilune.Object")"] + properties(of: entity, classes)
        + lines(of: "Object"))
        .joined(separator: "\n"))
    found.append((["---@class \(name).Values"] + values(of: entity, classes)).joined(separator: "\n"))
    for owner in AnnotatedTypes.ofEntities where owner != "Object" {
      var lines = ["---@class \(name).\(owner) : perilune.\(owner)"] + lines(of: owner)
      if owner == "Entity", !entity.isAbstract { lines.append("---@overload fun(values?: \(name).Values): \(name)") }
      found.append(lines.joined(separator: "\n"))
    }
    if globals.contains(entity.name) { found.append("---@type \(name).Entity\n\(entity.name) = nil") }
    return found
  }

  /// The names of classes behind that of an entity, which no alias of a property can have.
  private static let taken = Set(AnnotatedTypes.ofEntities + ["Key", "Values"])

  /// The values of texts that take few: others may come, so that they are offered and not demanded.
  private func choices(of entity: Entity, _ name: String) -> [String] {
    (facts.values[entity] ?? [:]).sorted { $0.key < $1.key }.compactMap { property, values in
      guard Naming.isLuaIdentifier(property), !Self.taken.contains(property) else { return nil }
      return "---@alias \(name).\(property) string" + values.map { "|" + Self.quoted($0) }.joined()
    }
  }

  /// The type of a property: the alias of its values where it has one.
  private func type(of attribute: Attribute, _ entity: Entity, _ classes: [String: String]) -> String {
    var owner = entity
    while let parent = owner.parent, parent.index(of: attribute.name) != nil { owner = parent }
    guard facts.values[owner]?[attribute.name] != nil, Naming.isLuaIdentifier(attribute.name),
      !Self.taken.contains(attribute.name)
    else { return type(of: attribute) }
    return "\(classes[owner.name] ?? owner.name).\(attribute.name)"
  }

  /// The most key paths that are listed: with more, an editor is slow.
  private static let mostKeys = 300

  /// Key paths for orders and aggregates: attributes, and attributes of the destinations of to-one relationships.
  private func keys(of entity: Entity) -> [String] {
    let all = entity.properties.enumerated().flatMap { index, property -> [String] in
      guard let relationship = property.relationship else { return [property.name] }
      if relationship.isToMany { return ["\(property.name).@count"] }
      return entity.destination(at: index).attributes.map { "\(property.name).\($0.name)" }
    }
    // Those of the entity itself come first.
    return Array((all.filter { !$0.contains(".") } + all.filter { $0.contains(".") }).prefix(Self.mostKeys))
  }

  private func properties(of entity: Entity, _ classes: [String: String]) -> [String] {
    let inherited = entity.parent?.properties.count ?? 0
    let own = entity.properties.indices.dropFirst(inherited).map { index -> String in
      let property = entity.properties[index]
      let key = Self.key(property.name)
      switch property {
      case .attribute(let attribute):
        let mark = attribute.isOptional ? "?" : ""
        let remark = [remark(on: attribute), facts.remarks[entity]?[attribute.name] ?? ""].filter { !$0.isEmpty }
        return "---@field \(key)\(mark) \(type(of: attribute, entity, classes)) \(remark.joined(separator: "; "))"
          .trimmingSpaces
      case .relationship(let relationship):
        let destination = classes[entity.destination(at: index).name] ?? "any"
        if relationship.isToMany { return "---@field \(key) \(destination).Collection" }
        return "---@field \(key)\(relationship.isOptional ? "?" : "") \(destination)"
      }
    }
    let known = Set((entity.parent?.fetchedProperties ?? []).map(\.name))
    return own
      + entity.fetchedProperties.filter { !known.contains($0.name) }.map { fetched in
        "---@field \(Self.key(fetched.name)) \(classes[fetched.fetchRequest.entity] ?? "perilune").Result"
      }
  }

  /// The properties that can be set when an object is created.
  private func values(of entity: Entity, _ classes: [String: String]) -> [String] {
    entity.properties.indices.compactMap { index in
      let property = entity.properties[index]
      guard property.isWritable else { return nil }
      let key = Self.key(property.name)
      guard let relationship = property.relationship else {
        return property.attribute.map {
          "---@field \(key)? \(type(of: $0, entity, classes)) \(remark(on: $0))".trimmingSpaces
        }
      }
      let destination = classes[entity.destination(at: index).name] ?? "any"
      return "---@field \(key)? \(destination)\(relationship.isToMany ? "[]" : "")"
    }
  }

  private func type(of attribute: Attribute) -> String {
    switch attribute.type {
    case .integer16, .integer32, .integer64: return "integer"
    case .double, .float: return "number"
    case .decimal: return "perilune.Decimal"
    case .string, .uuid, .url, .data: return "string"
    case .boolean: return "boolean"
    case .date: return "perilune.Date"
    case .transformable, .any: return "any"
    case .composite:
      let elements = attribute.elements.map {
        "\(Self.key($0.name))\(Naming.isLuaIdentifier($0.name) ? "?" : ""): \(type(of: $0))"
      }
      return elements.isEmpty ? "table" : "{ " + elements.joined(separator: ", ") + " }"
    }
  }

  /// Remarks that the type does not express.
  private func remark(on attribute: Attribute) -> String {
    var remarks: [String] = []
    if [.uuid, .url, .data].contains(attribute.type) { remarks.append(attribute.type.rawValue) }
    if attribute.isUnique { remarks.append("unique") }
    switch (attribute.minimum.isNull, attribute.maximum.isNull) {
    case (false, false): remarks.append("\(attribute.minimum.displayText) to \(attribute.maximum.displayText)")
    case (false, true): remarks.append("\(attribute.minimum.displayText) or more")
    case (true, false): remarks.append("\(attribute.maximum.displayText) or less")
    case (true, true): break
    }
    if let derivation = attribute.derivation { remarks.append("computed: \(derivation)") }
    if attribute.isReadOnly { remarks.append("read-only") }
    if attribute.isTransient { remarks.append("in memory only") }
    return remarks.joined(separator: ", ").replacing("\n", with: " ")
  }
}
