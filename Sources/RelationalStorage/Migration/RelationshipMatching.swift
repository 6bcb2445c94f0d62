import Layouts
import Modeling
import Stores

/// Matches the pairs of a new model's relationships with relationships of the old one.
///
/// A relationship and its inverse are one set of pairs, stored once: a match of either side counts for both.
struct RelationshipMatching {
  typealias Declaration = ModelLayout.Declaration

  /// An old relationship; if reversed, its owners are the members of the new one.
  struct Source: Hashable {
    var declaration: Declaration
    var isReversed = false

    /// The same pairs in the other direction.
    var reversed: Source {
      if let inverse = declaration.inverse { return Source(declaration: inverse, isReversed: isReversed) }
      return Source(declaration: declaration, isReversed: !isReversed)
    }

    /// The old entity of the owners, and the old entity of the members.
    var owner: Entity { isReversed ? destination : declaration.entity }
    var member: Entity { isReversed ? declaration.entity : destination }
    /// Whether a member may have had several owners.
    var mayShareMembers: Bool {
      isReversed ? declaration.relationship?.isToMany == true : declaration.inverse?.relationship?.isToMany ?? true
    }
    private var destination: Entity { declaration.entity.destination(at: declaration.index) }
  }

  let plan: MigrationPlan

  /// The old relationships whose pairs `declaration` takes over, each once.
  func sources(of declaration: Declaration) -> [Source] {
    var found: [Source] = []
    func add(_ source: Source) {
      if !found.contains(source) { found.append(source) }
    }
    for old in oldDeclarations(of: declaration) { add(Source(declaration: old)) }
    if let inverse = declaration.inverse {
      for old in oldDeclarations(of: inverse) { add(Source(declaration: old).reversed) }
    }
    return found.filter { $0.declaration.relationship?.isTransient != true && !isUnreachable($0, for: declaration) }
  }

  private func oldDeclarations(of declaration: Declaration) -> [Declaration] {
    declaration.entity.family.compactMap { entity in
      guard let index = plan.source(ofProperty: declaration.index, in: entity),
        let source = plan.matching.source(of: entity)
      else { return nil }
      return Declaration(source, index)
    }
  }

  /// The single source whose member the owner's own row holds, for objects of `entity`; nil if the pairs have to be
  /// collected first.
  func column(_ declaration: Declaration, of entity: Entity, _ old: ModelLayout) -> Source? {
    guard let former = plan.matching.source(of: entity) else { return nil }
    let sources = sources(of: declaration).filter { former.isKind(of: $0.owner) }
    guard sources.count == 1, !sources[0].isReversed, isColumn(sources[0], old) else { return nil }
    return sources[0]
  }

  /// Whether each owner's row can keep its column of a to-one relationship.
  func isDirect(_ declaration: Declaration, _ old: ModelLayout) -> Bool {
    let sources = sources(of: declaration)
    let isOneToOne = declaration.inverse?.relationship?.isToMany == false
    for source in sources {
      guard !source.isReversed, isColumn(source, old), lostMembers(of: source, for: declaration).isEmpty else {
        return false
      }
      if isOneToOne, source.mayShareMembers { return false }
    }
    return declaration.entity.family.allSatisfy { entity in
      guard let former = plan.matching.source(of: entity) else { return true }
      return sources.count { former.isKind(of: $0.owner) } <= 1
    }
  }

  private func isColumn(_ source: Source, _ old: ModelLayout) -> Bool {
    guard case .reference? = old.layouts[source.declaration.entity]?.properties[source.declaration.index] else {
      return false
    }
    return true
  }

  /// Old entities whose objects remain, but to which the relationship no longer leads.
  func lostMembers(of source: Source, for declaration: Declaration) -> [Entity] {
    let destination = declaration.entity.destination(at: declaration.index)
    return source.member.family.filter { plan.matching.result(of: $0)?.isKind(of: destination) == false }
  }

  /// Old entities whose objects cannot be in any pair of the new relationship.
  func outsiders(_ family: Entity, _ entity: Entity) -> [Entity] {
    family.family.filter { plan.matching.result(of: $0)?.isKind(of: entity) != true }
  }

  private func isUnreachable(_ source: Source, for declaration: Declaration) -> Bool {
    let destination = declaration.entity.destination(at: declaration.index)
    return outsiders(source.owner, declaration.entity).count == source.owner.family.count
      || outsiders(source.member, destination).count == source.member.family.count
  }
}
