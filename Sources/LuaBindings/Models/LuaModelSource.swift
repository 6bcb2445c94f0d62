internal import Modeling

/// A model as its Lua declaration: `Model { Quake = Entity { ... }, ... }`.
///
/// Running it makes an equal model. Notes list the few things that Lua cannot declare: columns of plain SQLite files
/// without a type, and read-only parts.
struct LuaModelSource {
  private(set) var text = ""
  private(set) var notes: [String] = []

  init(_ model: Model) {
    var lines = model.entities.map { "  \(Self.key($0.name)) = \(entity($0.description))," }
    let options = modelOptions(model)
    if !options.isEmpty { lines.append("  _ = " + Self.table(options, depth: 1) + ",") }
    text = lines.isEmpty ? "Model {}" : "Model {\n" + lines.joined(separator: "\n") + "\n}"
  }

  private func modelOptions(_ model: Model) -> [String] {
    var options: [String] = []
    let names = model.entities.map(\.name)
    if names != names.sorted() { options.append("order = \(Self.list(names))") }
    if let version = model.version { options.append("version = \(version.text.quotedForLua)") }
    if !model.fetchRequestTemplates.isEmpty {
      let templates = model.fetchRequestTemplates.sorted { $0.key < $1.key }.map {
        "\(Self.key($0)) = { \(Self.options($1).joined(separator: ", ")) }"
      }
      options.append("templates = { \(templates.joined(separator: ", ")) }")
    }
    if !model.configurations.isEmpty {
      let lists = model.configurations.sorted { $0.key < $1.key }.map { "\(Self.key($0)) = \(Self.list($1))" }
      options.append("configurations = { \(lists.joined(separator: ", ")) }")
    }
    if model.cloudKitConfigurations == [Model.defaultConfiguration] {
      options.append("usedWithCloudKit = true")
    } else if !model.cloudKitConfigurations.isEmpty {
      options.append("usedWithCloudKit = \(Self.list(model.cloudKitConfigurations.sorted()))")
    }
    return options
  }

  private mutating func entity(_ description: EntityDescription) -> String {
    if description.isReadOnly { notes.append("\(description.name) can be written to") }
    var fields = description.properties.map { property in
      let place = "\(description.name).\(property.name)"
      return "\(Self.key(property.name)) = \(declaration(property, place: place))"
    }
    fields += description.fetchedProperties.map { fetched in
      let options = Self.options(fetched.fetchRequest) + Self.userInfo(fetched.userInfo)
      return "\(Self.key(fetched.name)) = FetchedProperty { \(options.joined(separator: ", ")) }"
    }
    let options = entityOptions(description)
    if !options.isEmpty { fields.append("_ = " + Self.table(options, depth: 2)) }
    return "Entity " + Self.table(fields, depth: 1)
  }

  private func entityOptions(_ description: EntityDescription) -> [String] {
    var options: [String] = []
    let names = description.properties.map(\.name)
    let fetched = description.fetchedProperties.map(\.name)
    if names != names.sorted() || fetched != fetched.sorted() {
      options.append("order = \(Self.list(names + fetched))")
    }
    if let parent = description.parent { options.append("parent = \(parent.quotedForLua)") }
    if description.isAbstract { options.append("abstract = true") }
    if !description.uniquenessConstraints.isEmpty {
      options.append("unique = { \(description.uniquenessConstraints.map(Self.list).joined(separator: ", ")) }")
    }
    if !description.indexes.isEmpty {
      options.append("indexes = { \(description.indexes.map(Self.index).joined(separator: ", ")) }")
    }
    options += Self.text("className", description.className)
    options += Self.text("versionHashModifier", description.versionHashModifier)
    options += Self.text("renamingIdentifier", description.renamingIdentifier)
    return options + Self.userInfo(description.userInfo)
  }

  private static func index(_ index: FetchIndex) -> String {
    var parts = index.properties.map(\.quotedForLua)
    parts += text("name", index.name) + text("predicate", index.predicate)
    let descending = index.elements.filter { !$0.isAscending }.map(\.expression)
    if !descending.isEmpty { parts.append("descending = \(list(descending))") }
    let trees = index.elements.filter(\.isRTree).map(\.expression)
    if !trees.isEmpty { parts.append("rTree = \(list(trees))") }
    return "{ \(parts.joined(separator: ", ")) }"
  }

  private mutating func declaration(_ property: Property, place: String) -> String {
    switch property {
    case .attribute(let attribute): declaration(attribute, place: place)
    case .relationship(let relationship): Self.declaration(relationship)
    }
  }

  private static func declaration(_ relationship: Relationship) -> String {
    var options = text("inverse", relationship.inverse)
    if relationship.isUnidirectional { options.append("unidirectional = true") }
    if relationship.deleteRule != .nullify {
      options.append("deleteRule = \(relationship.deleteRule.rawValue.quotedForLua)")
    }
    if relationship.isTransient { options.append("transient = true") }
    if !relationship.isOptional { options.append("optional = false") }
    if relationship.isOrdered { options.append("ordered = true") }
    if let count = relationship.minimumCount { options.append("minCount = \(count)") }
    if let count = relationship.maximumCount { options.append("maxCount = \(count)") }
    options += text("versionHashModifier", relationship.versionHashModifier)
    options += text("renamingIdentifier", relationship.renamingIdentifier) + userInfo(relationship.userInfo)
    let word = relationship.isToMany ? "ToMany" : "ToOne"
    let table = options.isEmpty ? "" : " { \(options.joined(separator: ", ")) }"
    return "\(word) \(relationship.destination.quotedForLua)\(table)"
  }

  mutating func note(_ text: String) { notes.append(text) }
}
