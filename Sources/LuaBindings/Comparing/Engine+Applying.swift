package import Comparison
package import ObjectGraph

extension Engine {
  /// What became of a patch.
  package struct AppliedPatch {
    /// The numbers of changed objects.
    package var counts: DifferenceApplication.Counts
    /// A sentence for each object that was left as it is.
    package var conflicts: [String]
  }

  /// Applies a patch to the main store and saves it: all of it, or nothing if this throws. With `leavingConflicts`, objects
  /// that are not as the patch expects them are left as they are.
  ///
  /// Returns nil without a store.
  ///
  /// - Throws: ComparisonError.conflicts, GraphError, StoreError.
  package func apply(_ patch: Patch, policy: MergePolicy = .error, leavingConflicts: Bool = false) throws
    -> AppliedPatch?
  {
    guard let context = mainContext else { return nil }
    let application = DifferenceApplication(
      to: context, patch.scope, policy: policy, leavesConflicts: leavingConflicts)
    for difference in patch.differences { application.add(difference) }
    let counts = try turns.followingWrites { try context.transaction { try application.apply() } }
    return AppliedPatch(counts: counts, conflicts: application.conflicts.map(\.differenceSentence))
  }
}
