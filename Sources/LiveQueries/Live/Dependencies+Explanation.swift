public import Modeling
public import Queries
internal import Storage

extension Dependencies {
  /// How one path of a request is followed from a changed row back to the request's own.
  public struct FollowedPath: Hashable, Sendable {
    /// The path.
    public var path: PropertyPath
    /// Its relationships, in its order.
    public var steps: [FollowedStep]
  }

  /// How a relationship is walked backwards.
  public struct FollowedStep: Hashable, Sendable {
    /// Where the relationship is kept.
    public enum Kind: Hashable, Sendable {
      /// In columns of the rows it starts from.
      case reference
      /// In columns of the rows it leads to.
      case inverse
      /// In a table of pairs.
      case pairs(table: String)
    }

    /// The relationship.
    public var relationship: String
    /// The entity it leads to.
    public var destination: Entity
    /// Where it is kept.
    public var kind: Kind
    /// Whether walking it reads a whole table, because no index leads back.
    public var scans: Bool
  }

  /// How each path is followed, for people.
  ///
  /// - Throws: StoreError.
  public func explanation() throws -> [FollowedPath] {
    try paths.map { path in
      var node = root
      var steps: [FollowedStep] = []
      for hop in path.resolved.hops {
        guard let step = node.steps.first(where: { $0.relationship == hop.index && $0.owner === hop.owner }) else {
          break
        }
        steps.append(
          FollowedStep(
            relationship: hop.relationship?.name ?? "", destination: step.node.entity,
            kind: kind(of: hop.index, in: hop.owner), scans: try step.lookUp.scans()))
        node = step.node
      }
      return FollowedPath(path: path.path, steps: steps)
    }
  }

  private func kind(of relationship: Int, in entity: Entity) -> FollowedStep.Kind {
    switch store.layout(of: entity).properties[relationship] {
    case .inverse: .inverse
    case .join(let join): .pairs(table: join.table)
    case .reference, .column, .none: .reference
    }
  }
}
