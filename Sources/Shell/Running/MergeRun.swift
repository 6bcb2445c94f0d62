internal import Comparison
internal import LuaBindings
internal import ObjectGraph
internal import Session

/// `perilune merge`: makes the changes between two stores in a third one; the status is 1 if a conflict is left.
package struct MergeRun: ProgramRun {
  package var options: RunOptions
  private let base: String
  private let theirs: String
  private let store: StoreAccess
  private let policy: MergePolicy

  /// The words for policies.
  package static let policies = MergePolicy.allCases.map(\.rawValue)

  package init(
    from base: String, to theirs: String, into store: StoreAccess, policy: String, _ options: RunOptions
  ) {
    (self.base, self.theirs, self.store, self.options) = (base, theirs, store, options)
    self.policy = MergePolicy(rawValue: policy) ?? .error
  }

  package func run(in surroundings: Surroundings) -> Int32 {
    inSession(surroundings, store) { session in
      let status = store.open(in: session)
      return status == 0 ? session.finish(session.guarding { try merge(session) }) : status
    }
  }

  private func merge(_ session: EngineSession) throws {
    let console = session.session.parts.console
    let comparison = try StoreComparison(console.openToRead(base), console.openToRead(theirs))
    var patch = Patch(comparison.scope, [])
    try comparison.visit { difference in
      patch.differences.append(difference)
      return true
    }
    for line in DifferenceText().lines(of: comparison.models) { session.surroundings.warn("not merged: \(line)") }
    for difference in patch.differences where !difference.isComparable {
      session.surroundings.warn("not merged: \(DifferenceText().line(of: difference))")
    }
    guard let applied = try session.engine.apply(patch, policy: policy) else { return }
    for conflict in applied.conflicts { session.surroundings.warn("left as it is: \(conflict)") }
    if !options.isQuiet, !store.isDryRun {
      session.surroundings.say(DifferenceText().line(of: applied.counts) + "\n")
    }
  }
}
