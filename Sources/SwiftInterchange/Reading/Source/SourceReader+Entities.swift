internal import Modeling
internal import Queries

extension SourceReader {
  /// The entity that a type is about.
  mutating func entity(of type: TypeSyntax?) -> Entity? {
    guard let type, !["NSPredicate", "NSFetchRequestResult", "NSManagedObject", "Never", "()"].contains(type.innermost)
    else { return nil }
    guard let model, let entity = model.entity(named: type.innermost) else { return nil }
    return entity
  }

  /// The entity of a name that can be nothing else; unknown ones are reported.
  mutating func entity(named name: String, at range: Range<Int>) -> Entity? {
    let relatives = entity?.root.family ?? []
    guard let found = relatives.first(where: { $0.name == name }) ?? model?.entity(named: name) else {
      guard let model else { return nil }
      let nearest = nearestName(to: name, in: model.entities.map(\.name))
      issues.report(.unknownEntity(name, nearest: nearest), at: range)
      return nil
    }
    guard let entity else { return found }
    guard entity.isKind(of: found) || found.isKind(of: entity) else {
      issues.report(.wrongEntity(name, expected: entity.name), at: range)
      return nil
    }
    // What is written for an ancestor is asked of the entity itself.
    return entity.isKind(of: found) ? entity : found
  }
}
