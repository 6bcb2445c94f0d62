internal import Modeling

/// Puts a model together from the declarations of Apple's files, so that every file of one model gives the same.
///
/// Entities come depth first, those beside one another by their names without regard to case, as stores number them. Of the
/// properties of an entity attributes come first, then relationships, each by name. A property of an ancestor that is
/// repeated is left out. Declarations that a model cannot express, or that contradict one another, are noted and left out,
/// too.
struct ModelAssembly {
  var entities: [EntityDescription] = []
  var templates: [String: FetchRequestTemplate] = [:]
  var configurations: [String: [String]] = [:]
  /// The configurations whose objects are mirrored to CloudKit.
  var cloudKitConfigurations: Set<String> = []
  var version: String?
  var notes: [String] = []
  /// Whether each attribute with an index of its own has a flag for it, too, as compiled models do.
  var flagsIndexedAttributes = false

  /// More than any model has; a file may repeat the same ones without end.
  static let entityLimit = 4096
  static let propertyLimit = 100_000
  /// The most properties of an entity, with inherited ones.
  static let ownLimit = 1000
  static let elementLimit = 20_000

  mutating func note(_ text: String) {
    if notes.count < 1000, !notes.contains(text) { notes.append(text) }
  }

  /// The model.
  ///
  /// - Throws: if nothing can be made of it.
  mutating func model() throws(AppleModelError) -> AppleModel {
    try order()
    for index in entities.indices { entities[index] = settled(entities[index]) }
    try dropRepeatedProperties()
    for index in entities.indices { entities[index] = listsSettled(entities[index]) }
    for index in entities.indices { sort(&entities[index]) }
    settleNames()
    // Each of them begins from the start, which takes the longer the larger the model is.
    let size = entities.reduce(100) { $0 + $1.properties.count }
    for _ in 0..<min(300, 2_000_000 / size) {
      do throws(ModelError) {
        let model = try Model(
          entities, version: version.map(ModelVersion.init), fetchRequestTemplates: templates,
          configurations: configurations, cloudKitConfigurations: cloudKitConfigurations)
        if separate(model) { continue }
        return AppleModel(model: model, notes: notes)
      } catch {
        try repair(error)
      }
    }
    throw AppleModelError(.damaged("it contradicts itself in too many places"))
  }

  /// Separates relationships that the file declares without an inverse, unless the other relationship declares one;
  /// returns whether there were any.
  private mutating func separate(_ model: Model) -> Bool {
    var changed = false
    for index in entities.indices {
      guard let entity = model.entity(named: entities[index].name) else { continue }
      for position in entities[index].properties.indices {
        guard case .relationship(var relationship) = entities[index].properties[position],
          relationship.inverse == nil, !relationship.isUnidirectional,
          let found = entity.index(of: relationship.name), let inverse = entity.inverse(at: found)
        else { continue }
        let back = entity.destination(at: found).properties[inverse]
        if back.relationship?.inverse == relationship.name {
          relationship.inverse = back.name
        } else {
          relationship.isUnidirectional = true
        }
        entities[index].properties[position] = .relationship(relationship)
        changed = true
      }
    }
    return changed
  }
}
