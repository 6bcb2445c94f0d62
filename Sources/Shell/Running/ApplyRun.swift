internal import Comparison
internal import LuaBindings
internal import Session

/// `perilune apply`: makes the changes of a patch in a store; the status is 1 if an object is not as the patch expects it.
package struct ApplyRun: ProgramRun {
  package var options: RunOptions
  private let path: String
  private let store: StoreAccess
  private let isPartial: Bool

  package init(_ path: String, to store: StoreAccess, isPartial: Bool, _ options: RunOptions) {
    (self.path, self.store, self.isPartial, self.options) = (path, store, isPartial, options)
  }

  package func run(in surroundings: Surroundings) -> Int32 {
    inSession(surroundings, store) { session in
      var patch: Patch?
      var status = session.guarding { patch = try read() }
      guard status == 0, let patch else { return status }
      status = store.open(in: session)
      guard status == 0 else { return status }
      var isComplete = true
      status = session.guarding { isComplete = try apply(patch, session) }
      return session.finish(status == 0 && !isComplete ? ExitStatus.failed : status)
    }
  }

  private func read() throws -> Patch {
    let bytes = try readFile(path)
    do { return try bytes.withUnsafeBytes { try Patch($0) } } catch var error as PatchError {
      error.file = path
      throw error
    }
  }

  /// Applies the patch; returns false if objects were left as they are.
  private func apply(_ patch: Patch, _ session: EngineSession) throws -> Bool {
    guard let applied = try session.engine.apply(patch, leavingConflicts: isPartial) else { return true }
    for conflict in applied.conflicts { session.surroundings.warn("left as it is: \(conflict)") }
    if !options.isQuiet, !store.isDryRun {
      session.surroundings.say(DifferenceText().line(of: applied.counts) + "\n")
    }
    return applied.conflicts.isEmpty
  }
}
