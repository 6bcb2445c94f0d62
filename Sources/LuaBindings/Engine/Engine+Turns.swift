internal import LuaRuntime

extension Engine {
  /// Does what is due at the end of a turn: a line of the prompt, an `-e`, a script, a round of callbacks.
  ///
  /// Contexts with `autosave` are saved, unless the turn `failed`: half of what it meant to do is not to be kept. Returns
  /// what went wrong, in callbacks since the last turn too, to be told: none of it stopped anything.
  public func endTurn(failed: Bool = false) -> [any Error] {
    if !failed {
      // A child's changes go to its parent, which then has them to save.
      for context in openStores.flatMap(\.contexts).sorted(by: { $0.context.depth > $1.context.depth }) {
        do { try context.autosave() } catch {
          // Ctrl-C and the time limit are told as such.
          callbackErrors.append(lua.interruption == nil ? AutosaveFailure(report: report(error)) : error)
        }
      }
    }
    closeUndoGroups()
    defer { callbackErrors = [] }
    return callbackErrors
  }

  /// Has what follows be taken back by itself.
  func closeUndoGroups() {
    for context in openStores.flatMap(\.contexts) { context.context.closeUndoGroup() }
  }

  /// Runs a callback whose failure must stop nothing, and keeps the error to be told at the end of the turn.
  func noting(_ body: () throws -> Void) {
    do { try body() } catch {
      // What stops everything is told by what it stops.
      if lua.isClosed || lua.interruption != nil { return }
      callbackErrors.append(error)
    }
  }
}

/// The failure of a save that nobody asked for in so many words.
private struct AutosaveFailure: ReportedError {
  let report: ErrorReport

  init(report: ErrorReport) {
    var report = report
    report.message += "\n  (in an autosave: the changes stay unsaved)"
    self.report = report
  }
}
