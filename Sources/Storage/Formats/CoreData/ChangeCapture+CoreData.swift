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
