public import Modeling

/// One step of a migration, in the terms of models; a plan is a list of steps that can be shown in advance.
public enum MigrationStep: Hashable, Sendable {
  case addEntity(String)
  /// Its objects are deleted.
  case removeEntity(String)
  case renameEntity(from: String, to: String)
  /// The entity has other ancestors or descendants, or became abstract or concrete.
  case moveEntity(String)
  /// The entity joins the hierarchy of another, whose objects may have the same keys: its own objects get new ones.
  case renumberKeys(String)
  /// Existing objects get `value`.
  case addAttribute(entity: String, name: String, value: Value)
  case addRelationship(entity: String, name: String)
  /// Its values are dropped.
  case removeProperty(entity: String, name: String)
  case renameProperty(entity: String, from: String, to: String)
  case convertAttribute(entity: String, name: String, from: AttributeType, to: AttributeType)
  /// Objects without a value get `value`; refused if there are any and `value` is null.
  case requireProperty(entity: String, name: String, value: Value)
  case makeOptional(entity: String, name: String)
  /// The relationship's cardinality, order, destination, inverse or delete rule changes: given as texts.
  case changeRelationship(entity: String, name: String, to: [String])
  case changeDerivation(entity: String, name: String)
  /// Refused if objects have equal values.
  case addUniqueness(entity: String, properties: [String])
  case removeUniqueness(entity: String, properties: [String])
  case addIndex(entity: String, properties: [String])
  case removeIndex(entity: String, properties: [String])
  /// The entity's rows are spread over the nodes of a server by another property; by none, each node gets a copy.
  case distributeEntity(String, by: String?)
  /// A fetched property or a request template, by its name (`Quake.similar`, `template big`): only the model changes.
  case addFetch(String)
  case changeFetch(String)
  case removeFetch(String)

  /// Whether tables and rows stay as they are.
  package var isOfModelAlone: Bool {
    switch self {
    case .addFetch, .changeFetch, .removeFetch: true
    default: false
    }
  }
}

extension MigrationStep: CustomStringConvertible {
  /// A line for people: `+ Quake.depth = 0.0`.
  public var description: String {
    func list(_ names: [String]) -> String { names.joined(separator: ", ") }
    func filled(_ value: Value) -> String { value.isNull ? "" : " = \(value.displayText)" }
    return switch self {
    case .addEntity(let name): "+ \(name)"
    case .removeEntity(let name): "- \(name), with all its objects"
    case .renameEntity(let from, let to): "~ \(from) is now \(to)"
    case .moveEntity(let name): "~ \(name) has another place in the hierarchy"
    case .renumberKeys(let name): "~ \(name): its objects get new keys"
    case .addAttribute(let entity, let name, let value): "+ \(entity).\(name)\(filled(value))"
    case .addRelationship(let entity, let name): "+ \(entity).\(name)"
    case .removeProperty(let entity, let name): "- \(entity).\(name), with its values"
    case .renameProperty(let entity, let from, let to): "~ \(entity).\(from) is now \(to)"
    case .convertAttribute(let entity, let name, let from, let to):
      "~ \(entity).\(name) from \(from.rawValue) to \(to.rawValue)"
    case .requireProperty(let entity, let name, let value): "~ \(entity).\(name) is required\(filled(value))"
    case .makeOptional(let entity, let name): "~ \(entity).\(name) is optional"
    case .changeRelationship(let entity, let name, let rules): "~ \(entity).\(name): \(list(rules))"
    case .changeDerivation(let entity, let name): "~ \(entity).\(name) is computed anew"
    case .addUniqueness(let entity, let names): "+ unique \(entity) (\(list(names)))"
    case .removeUniqueness(let entity, let names): "- unique \(entity) (\(list(names)))"
    case .addIndex(let entity, let names): "+ index \(entity) (\(list(names)))"
    case .distributeEntity(let name, let property):
      "~ \(name) is \(property.map { "distributed by \($0)" } ?? "copied to each node")"
    case .addFetch(let place): "+ \(place)"
    case .changeFetch(let place): "~ \(place) fetches something else"
    case .removeFetch(let place): "- \(place)"
    case .removeIndex(let entity, let names): "- index \(entity) (\(list(names)))"
    }
  }
}
