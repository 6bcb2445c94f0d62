internal import Storage

/// Which objects have to follow what was written to a store.
enum WrittenRows {
  /// Rows that a context or a statement wrote: contexts find out whether there are any.
  case byContexts
  /// Rows that were changed past all contexts.
  case pastContexts
  /// Rows that were deleted past all contexts.
  case deletedPastContexts
}

extension BoundStore {
  /// Has objects follow what was written, and then tells observers. Everything that writes for a script ends with it.
  ///
  /// - Throws: EndlessRounds, when observers go on changing what they observe. What was written stays.
  func didWrite(_ rows: WrittenRows) throws {
    switch rows {
    case .byContexts: noticeForeignWrites()
    case .pastContexts: refreshAllObjects()
    case .deletedPastContexts: forgetDeletedRows()
    }
    noteUncommittedRows()
    try engine.runTurn()
  }

  /// A dry run commits nothing that would tell which rows were written, and at its end all of them are as they were: what
  /// is live is read anew.
  private func noteUncommittedRows() {
    let written = store.isDryRun ? changeCount : nil
    guard written != uncommittedCount else { return }
    uncommittedCount = written
    var touched = TouchedRows()
    touched.isComplete = false
    liveStore?.note(touched)
  }
}
