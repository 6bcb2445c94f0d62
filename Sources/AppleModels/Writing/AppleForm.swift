internal import Modeling

/// A model as Xcode's format can express it, and the parts that it cannot.
///
/// Declarations are of the kind that a document has: every inverse is named, one composite has one name. Reading the
/// document gives `model`.
struct AppleForm {
  /// What is written.
  var entities: [EntityDescription] = []
  var templates: [String: FetchRequestTemplate] = [:]
  var notes: [String] = []
  /// The types of composites by their names.
  var composites: [String: [Attribute]] = [:]
  private let source: Model

  init(_ model: Model) {
    source = model
    for entity in model.entities { entities.append(form(entity)) }
    for (name, template) in model.fetchRequestTemplates {
      templates[name] = form(template, place: "The fetch request \(name)")
    }
  }

  /// The model that is read when it was written.
  func model() throws(AppleModelError) -> Model {
    var assembly = ModelAssembly()
    assembly.entities = entities
    assembly.templates = templates
    assembly.configurations = source.configurations
    assembly.cloudKitConfigurations = source.cloudKitConfigurations
    assembly.version = source.version?.text
    return try assembly.model().model
  }

  mutating func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }

  private mutating func form(_ entity: Entity) -> EntityDescription {
    var description = entity.description
    if description.isReadOnly { note("\(entity.name) can be written to in an app") }
    description.isReadOnly = false
    if description.className == "" { description.className = nil }
    check(name: entity.name, place: entity.name)
    description.userInfo = writable(description.userInfo, place: entity.name)
    description.properties = description.properties.map { property in
      let place = "\(entity.name).\(property.name)"
      check(name: property.name, place: place)
      switch property {
      case .attribute(let attribute): return .attribute(form(attribute, place: place, isElement: false))
      case .relationship(let relationship): return .relationship(form(relationship, of: entity))
      }
    }
    description.fetchedProperties = description.fetchedProperties.map { fetched in
      var fetched = fetched
      let place = "\(entity.name).\(fetched.name)"
      check(name: fetched.name, place: place)
      fetched.userInfo = writable(fetched.userInfo, place: place)
      fetched.fetchRequest = form(fetched.fetchRequest, place: place)
      return fetched
    }
    description.indexes = description.indexes.map { form($0, of: entity) }
    return description
  }

  private mutating func form(_ relationship: Relationship, of entity: Entity) -> Relationship {
    var relationship = relationship
    relationship.userInfo = writable(relationship.userInfo, place: "\(entity.name).\(relationship.name)")
    if let index = entity.index(of: relationship.name) {
      // What does not lead back the same way is no inverse there.
      let destination = entity.destination(at: index)
      let inverse = entity.inverse(at: index).flatMap { back in
        destination.inverse(at: back).map { destination.destination(at: back).properties[$0].name } == relationship.name
          ? destination.properties[back].name : nil
      }
      relationship.inverse = inverse
    }
    relationship.isUnidirectional = false
    // There one at most is a to-one.
    if relationship.isToMany, relationship.maximumCount == 1 {
      note("\(entity.name).\(relationship.name): a to-many has no bound of 1")
      relationship.maximumCount = nil
    }
    return relationship
  }

  private mutating func form(_ template: FetchRequestTemplate, place: String) -> FetchRequestTemplate {
    var template = template
    if !template.sortDescriptors.isEmpty { note("\(place): the order is left out") }
    if template.fetchOffset != 0 { note("\(place): the offset is left out") }
    (template.sortDescriptors, template.fetchOffset) = ([], 0)
    template.predicate = template.predicate.map { (try? CanonicalFormat.predicate($0)) ?? $0 }
    if template.predicate == "" { template.predicate = nil }
    template.fetchLimit = template.fetchLimit.flatMap { $0 > 0 ? $0 : nil }
    template.fetchBatchSize = max(template.fetchBatchSize, 0)
    return template
  }

  private mutating func form(_ index: FetchIndex, of entity: Entity) -> FetchIndex {
    var index = index
    for position in index.elements.indices where !entity.hasColumn(index.elements[position].expression) {
      let text = index.elements[position].expression
      index.elements[position].expression = (try? CanonicalFormat.expression(text)) ?? text
    }
    index.predicate = index.predicate.map { (try? CanonicalFormat.predicate($0)) ?? $0 }
    if index.name == nil, !index.isPlain {
      let words = index.properties.map { $0.filter { $0.isLetter || $0.isNumber } }
      index.name = "by" + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "And")
      note("\(entity.name): an index without a name becomes \(index.name ?? "")")
    }
    return index
  }
}

extension Entity {
  /// Whether a part of an index is a property or an element of a composite, not an expression.
  func hasColumn(_ text: String) -> Bool { index(of: text) != nil || compositeElement(at: text) != nil }
}
