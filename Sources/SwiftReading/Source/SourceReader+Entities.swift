internal import Modeling
internal import Queries
internal import SwiftParsing

extension SourceReader {
  /// The entity that a type is about.
  mutating func entity(of type: TypeSyntax?) -> Entity? {
    guard let type, !["NSPredicate", "NSFetchRequestResult", "NSManagedObject", "Never", "()"].contains(type.innermost)
    else { return nil }
    return model?.entity(ofClass: type.innermost)
  }

  /// The entity of a name that can be nothing else; unknown ones are reported.
  mutating func entity(named name: String, at range: Range<Int>) -> Entity? {
    let relatives = entity?.root.family ?? []
    guard let found = relatives.first(where: { $0.name == name }) ?? model?.entity(ofClass: name) else {
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
    // A condition on an ancestor is a condition on the entity itself.
    return entity.isKind(of: found) ? entity : found
  }

  /// The entity that a description is of: `Item.entity()`, `NSEntityDescription.entity(forEntityName: "Item", in: context)`.
  mutating func describedEntity(_ syntax: SwiftSyntax) -> Entity? {
    switch syntax.unwrapped.kind {
    case .forced(let inner), .cast(let inner, _, _): return describedEntity(inner)
    case .name(let name): if case .entity(let known)? = constants[name] { return known }
    case .call(let callee, _, let arguments):
      guard case .member(let base?, let method) = callee.kind, case .name(let owner) = base.kind else { return nil }
      if method == "entity", owner.first?.isUppercase == true, owner != "NSEntityDescription" {
        return entity(named: owner == "Self" ? self.owner ?? owner : owner, at: base.range)
      }
      if owner == "NSEntityDescription", let name = arguments.first, name.label == "forEntityName",
        case .string(let text)? = constants.value(of: name.value)
      {
        return entity(named: text, at: name.value.range)
      }
    default: break
    }
    return nil
  }

  /// The entity that a request is given behind its declaration: `request.entity = Item.entity()`.
  mutating func entityAssigned(to name: String) -> Entity? {
    for statement in following {
      guard case .assignment(let target, let value) = statement.kind, case .member(let base?, "entity") = target.kind,
        case .name(name) = base.kind
      else { continue }
      return describedEntity(value)
    }
    return nil
  }
}

extension Model {
  /// The entity of a name, or the one whose objects are of a class of that name.
  func entity(ofClass name: String) -> Entity? {
    if let named = entity(named: name) { return named }
    let found = entities.filter { $0.description.className?.split(separator: ".").last.map(String.init) == name }
    return found.count == 1 ? found.first : nil
  }
}
