public import Modeling
public import Queries
internal import Stores

extension Dependencies {
  /// One path of a request, and how changed rows are followed back along it to the request's rows.
  public struct FollowedPath: Hashable, Sendable {
    /// The path.
    public var path: PropertyPath
    /// Its relationships, in the path's order.
    public var steps: [FollowedStep]
  }

  /// One relationship, followed backwards.
  public struct FollowedStep: Hashable, Sendable {
    /// Where the relationship is stored.
    public enum Kind: Hashable, Sendable {
      /// In columns of its source rows.
      case reference
      /// In columns of its destination rows.
      case inverse
      /// In a join table.
      case pairs(table: String)
    }

    /// The relationship.
    public var relationship: String
    /// The destination entity.
    public var destination: Entity
    /// Where the relationship is stored.
    public var kind: Kind
    /// Whether following it reads a whole table, because no index leads back.
    public var scans: Bool
  }

  /// Describes how each path is followed, for display.
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
