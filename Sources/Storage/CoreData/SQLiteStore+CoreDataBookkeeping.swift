import Modeling

extension ChangeCapture {
  /// Tells all changes of a Core Data store but those of its own bookkeeping.
  func followCoreData() {
    isUnlimited = true
    ignoredTables = [
      "z_primarykey", "z_metadata", "z_modelcache", asciiLowercased(CoreDataHistoryTables.change),
      asciiLowercased(CoreDataHistoryTables.transaction), asciiLowercased(CoreDataHistoryTables.string),
    ]
  }
}

extension SQLiteStore {
  /// Has each commit settle what the app's framework counts on.
  func keepBookkeeping(_ coreData: CoreDataStore, _ recorder: CommitRecorder) {
    connection.installCoreDataTriggerFunctions()
    recorder.bookkeeping = CommitRecorder.Bookkeeping(
      willCommit: { [weak self] changes in
        guard let self else { return false }
        var commit = CoreDataCommit(self, coreData, changes)
        return try commit.write()
      },
      loss: { coreData.externalFiles.isLettingGo ? .externalFiles : nil },
      didCommit: { coreData.externalFiles.committed() })
  }
}
