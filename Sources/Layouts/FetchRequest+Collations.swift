public import Modeling
public import Queries

extension FetchRequest {
  /// The names of the collations that tables declare for the request's keys of groups and of distinct dictionaries, by key.
  ///
  /// `layout` returns the layout of an entity. Keys whose texts are told apart by their bytes are left out.
  public func keyCollations(_ layout: (Entity) -> EntityLayout) -> [Expression: String] {
    guard resultType == .dictionaries, !groupsTextsByBytes else { return [:] }
    var collations: [Expression: String] = [:]
    for key in distinguishingExpressions {
      if let collation = key.collation(in: entity, layout) { collations[key] = collation }
    }
    return collations
  }
}

extension Expression {
  /// The collation that a table declares for the texts that a key path leads to; nil where there is none.
  fileprivate func collation(in entity: Entity, _ layout: (Entity) -> EntityLayout) -> String? {
    guard case .path(let path) = self, let resolved = try? path.resolve(in: entity), resolved.elements.isEmpty,
      let attribute = resolved.attribute, case let layout = layout(resolved.end),
      case .column(let index) = layout.properties[attribute], case let column = layout.columns[index]
    else { return nil }
    switch column.type {
    case .string, .url, .any: return column.collation
    default: return nil
    }
  }
}
