/// What made a store, which decides how it is read.
public enum StoreKind: String, Sendable {
  /// Made here.
  case perilune
  /// Any other SQLite file.
  case sqlite
  /// A Core Data or SwiftData store.
  case coreData = "coredata"
  /// A PostgreSQL database whose tables others made.
  case postgres = "postgresql"
}
