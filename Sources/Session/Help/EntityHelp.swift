internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Presentation
internal import Stores

/// Shows what entities and other values are.
struct EntityHelp {
  let console: Console
  private var engine: Engine { console.engine }

  /// Describes the value at `index`.
  func show(at index: Int32, on stack: LuaStack) throws {
    switch try EngineValue(at: index, on: stack, in: engine) {
    case .entity(let entity, _): try show(entity)
    case .request(let request, _): try show(request.entity)
    case .result(let result): try show(result.entity)
    case .live(let results, _), .section(let results, _): try show(results.request.entity)
    case .collection(_, let entity): try show(entity)
    case .model(let model):
      for entity in model.entities { try show(entity) }
      try showTemplates(of: model)
    case .object, .value, .predicate, .plot, .listing, .other:
      try console.show(stack.reference(at: index), ShowOptions())
    }
  }

  /// Shows an entity's properties with their types and rules.
  func show(_ entity: Entity) throws {
    let columns = ["property", "type", "notes"].map { TabularColumn($0) }
    let rows = entity.properties.indices.map { index in
      let property = entity.properties[index]
      let notes = Self.notes(at: index, of: entity, in: engine.store)
      return [Cell.text(property.name), .text(Self.typeText(property)), .text(notes.joined(separator: ", "))]
    }
    let fetched = entity.fetchedProperties.map { property in
      [
        Cell.text(property.name), .text("⇢ " + property.fetchRequest.entity),
        .text(Self.notes(on: property.fetchRequest).joined(separator: ", ")),
      ]
    }
    console.printText(console.layout.style(.header, heading(of: entity)) + "\n")
    try console.render(
      MemoryRows(
        columns: columns, rows: rows + fetched, rowName: rows.count + fetched.count == 1 ? "property" : "properties"))
  }

  /// Shows the request templates of a model, if it has any.
  private func showTemplates(of model: Model) throws {
    let templates = model.fetchRequestTemplates.sorted { $0.key < $1.key }
    guard !templates.isEmpty else { return }
    let rows = templates.map { name, request in
      [Cell.text(name), .text("⇢ " + request.entity), .text(Self.notes(on: request).joined(separator: ", "))]
    }
    console.printText(console.layout.style(.header, "templates") + "\n")
    let columns = ["template", "type", "notes"].map { TabularColumn($0) }
    try console.render(MemoryRows(columns: columns, rows: rows, rowName: rows.count == 1 ? "template" : "templates"))
  }

  private func heading(of entity: Entity) -> String {
    var text = entity.name
    if let parent = entity.parent { text += ": \(parent.name)" }
    if let store = engine.store, store.model.entities.contains(where: { $0 === entity }) {
      text += " (table \(store.layout(of: entity).table))"
    }
    if entity.isAbstract { text += ", abstract" }
    if entity.isReadOnly { text += ", read-only" }
    for names in entity.description.uniquenessConstraints { text += ", unique by \(names.joined(separator: " and "))" }
    return text
  }

  static func typeText(_ property: Property) -> String {
    guard let relationship = property.relationship else { return property.attribute?.type.rawValue ?? "" }
    return (relationship.isToMany ? "→→ " : "→ ") + relationship.destination
  }

  /// A property with its type, and further facts about it.
  static func line(
    at index: Int, of entity: Entity, in store: (any OpenedStore)?
  ) -> (signature: String, summary: String) {
    let property = entity.properties[index]
    return (
      "\(entity.name).\(property.name): \(typeText(property))",
      notes(at: index, of: entity, in: store).joined(separator: ", ")
    )
  }

  /// Further facts about a property.
  static func notes(at index: Int, of entity: Entity, in store: (any OpenedStore)?) -> [String] {
    guard let attribute = entity.properties[index].attribute else { return notes(onRelationshipAt: index, of: entity) }
    return form(at: index, of: entity, in: store) + notes(on: attribute, of: entity)
  }

  /// How the store keeps a date, where that is no number.
  private static func form(at index: Int, of entity: Entity, in store: (any OpenedStore)?) -> [String] {
    guard let store, store.model.entities.contains(where: { $0 === entity }),
      case let layout = store.layout(of: entity),
      case .column(let column) = layout.properties[index], case .dateText(let form) = layout.columns[column].encoding
    else { return [] }
    return ["kept as text '\(form.sample)'"]
  }

  private static func notes(on attribute: Attribute, of entity: Entity) -> [String] {
    var notes: [String] = []
    if !attribute.isOptional { notes.append("required") }
    if attribute.isUnique { notes.append("unique") }
    if attribute.isIndexed { notes.append("indexed") }
    if attribute.isTransient { notes.append("transient") }
    if let derivation = attribute.derivation { notes.append("derived from \(derivation)") }
    if !attribute.elements.isEmpty {
      notes.append("of " + attribute.elements.map { "\($0.name) \($0.type.rawValue)" }.joined(separator: ", "))
    }
    if attribute.isReadOnly { notes.append("read-only") }
    if attribute.preservesValueInHistoryOnDeletion { notes.append("preserved in the history") }
    if !attribute.defaultValue.isNull { notes.append("default \(attribute.defaultValue.debugText)") }
    if !attribute.minimum.isNull { notes.append("min \(attribute.minimum.displayText)") }
    if !attribute.maximum.isNull { notes.append("max \(attribute.maximum.displayText)") }
    if let length = attribute.minimumLength { notes.append("minLength \(length)") }
    if let length = attribute.maximumLength { notes.append("maxLength \(length)") }
    if let pattern = attribute.regularExpression { notes.append("regex \(pattern.quotedForLua)") }
    return notes
  }

  static func notes(on request: FetchRequestTemplate) -> [String] {
    var notes = ["fetched" + (request.predicate.map { " where \($0)" } ?? "")]
    if !request.sortDescriptors.isEmpty { notes.append("sorted by \(request.sortDescriptors.joined(separator: ", "))") }
    if let limit = request.fetchLimit { notes.append("limit \(limit)") }
    return notes
  }

  private static func notes(onRelationshipAt index: Int, of entity: Entity) -> [String] {
    guard let relationship = entity.properties[index].relationship else { return [] }
    var notes: [String] = []
    if relationship.isTransient { notes.append("transient") }
    if !relationship.isOptional { notes.append("required") }
    if relationship.isOrdered { notes.append("ordered") }
    if let inverse = entity.inverse(at: index) {
      notes.append("inverse \(entity.destination(at: index).properties[inverse].name)")
    }
    if relationship.deleteRule != .nullify { notes.append("on delete \(relationship.deleteRule.rawValue)") }
    if let count = relationship.minimumCount { notes.append("minCount \(count)") }
    if let count = relationship.maximumCount { notes.append("maxCount \(count)") }
    return notes
  }
}
