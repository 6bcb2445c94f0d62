package import Modeling
internal import Queries

/// The names of the open store for the examples of help pages.
///
///     ExampleVocabulary(model, globals: [])?.translated("Quake:where \"magnitude > 3\"")   // Orders:where "total > 3"
///
/// The examples are written for a store of earthquakes. Each of their names has a role, such as a number or a date; the entity
/// whose properties fill the most roles takes the place of Quake.
package struct ExampleVocabulary {
  /// A name in the examples, and its role.
  private enum Role: String, CaseIterable {
    case entity = "Quake"
    case number = "magnitude"
    case text = "place"
    case uniqueText = "code"
    case date = "time"
    case toMany = "reports"
    case relatedEntity = "Report"
    case relatedText = "text"
    case inverse = "quake"
  }

  /// The entities' names for the roles; entities that fill the most come first.
  private let candidates: [[String: String]]
  /// The entity that fills the most.
  package let entity: String

  /// Makes the vocabulary of a model; nil where the examples' own names are right or no entity has a property for any of them.
  ///
  /// - Parameter globals: Names that stand for something else than an entity.
  package init?(_ model: Model, globals: Set<String>) {
    let entities = model.entities.filter { !globals.contains($0.name) && Self.isPlain($0.name) && !$0.isAbstract }
    let candidates = entities.map { (entity: $0, names: Self.names($0, among: entities)) }
    let areEarthquakes = candidates.contains { entity, names in
      entity.name == Role.entity.rawValue && names[Role.number.rawValue] != nil
    }
    if areEarthquakes { return nil }
    let ranked = candidates.filter { $0.names.count > 1 }.sorted { left, right in
      (left.names.count, left.entity.isReadOnly ? 0 : 1) > (right.names.count, right.entity.isReadOnly ? 0 : 1)
    }
    guard let best = ranked.first else { return nil }
    entity = best.entity.name
    self.candidates = ranked.map(\.names)
  }

  /// An example in the words of the first entity that fills all its roles; nil where there is none, and for SQL, which has names
  /// of its own. Examples that make a model stay.
  package func translated(_ example: String) -> String? {
    if example.contains("Model {") { return example }
    if example.contains("SELECT ") { return nil }
    let words = example.matches(of: #/:?[A-Za-z_][A-Za-z0-9_]*/#)
    let roles = Set(words.map { String($0.0) }.filter { Role(rawValue: $0) != nil })
    guard let names = candidates.first(where: { names in roles.allSatisfy { names[$0] != nil } }) else { return nil }
    return words.reversed().reduce(into: example) { text, word in
      if let name = names[String(word.0)] { text.replaceSubrange(word.range, with: name) }
    }
  }

  private static func names(_ entity: Entity, among entities: [Entity]) -> [String: String] {
    var names = [Role.entity.rawValue: entity.name]
    func set(_ role: Role, _ name: String?) { if let name { names[role.rawValue] = name } }
    let attributes = entity.properties.compactMap(\.attribute).filter { isPlain($0.name) }
    let numbers = attributes.filter { $0.type.isNumeric && !$0.name.lowercased().hasSuffix("id") }
    set(.number, (numbers.first { $0.type == .double || $0.type == .decimal } ?? numbers.first)?.name)
    let texts = attributes.filter { $0.type == .string }
    let uniqueText = texts.first(where: \.isUnique)
    set(.uniqueText, uniqueText?.name)
    let title = entity.titleAttribute.map { entity.properties[$0].name }
    set(
      .text,
      texts.first { $0.name == title && !$0.isUnique }?.name ?? texts.first { !$0.isUnique }?.name ?? uniqueText?.name)
    set(.date, attributes.first { $0.type == .date }?.name)
    let toMany = entity.properties.indices.first { index in
      guard let relationship = entity.properties[index].relationship else { return false }
      return relationship.isToMany && !relationship.isTransient && isPlain(relationship.name)
        && entities.contains { $0 === entity.destination(at: index) }
    }
    if let toMany {
      let destination = entity.destination(at: toMany)
      set(.toMany, entity.properties[toMany].name)
      set(.relatedEntity, destination.name)
      set(.inverse, entity.inverse(at: toMany).map { destination.properties[$0].name })
      set(.relatedText, destination.properties.first { $0.attribute?.type == .string && isPlain($0.name) }?.name)
    }
    return names
  }

  /// Whether a name needs no quotes, neither in Lua nor in predicates.
  private static func isPlain(_ name: String) -> Bool {
    Naming.isLuaIdentifier(name) && Queries.Expression.path(PropertyPath([name])).description == name
  }
}
