/// The steps of a completed or planned migration, with its obstacles and data losses.
public struct MigrationReport: Hashable, Sendable {
  /// The steps, stage by stage and entity by entity.
  public var steps: [MigrationStep] = []
  /// The changes that cannot be inferred, and the rows that violate the new model; any obstacle stops the migration.
  public var obstacles: [String] = []
  /// The values, links and objects that the new model has no place for, counted.
  public var losses: [String] = []
  /// Whether some of that is lost although the options do not permit it, so that the migration itself is refused.
  public var losesUnasked = false

  package init() {}
}

extension MigrationReport: CustomStringConvertible {
  /// The report for people: one line for each step, loss and obstacle.
  public var description: String {
    var lines = steps.isEmpty && obstacles.isEmpty ? ["nothing to migrate"] : steps.map(\.description)
    lines += losses.map { "! \($0)" }
    if !obstacles.isEmpty { lines += ["refused:"] + obstacles.map { "  \($0)" } }
    return lines.joined(separator: "\n")
  }
}
