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

  /// The name of what made it, where that is neither this program nor unknown.
  public var maker: String? {
    switch self {
    case .perilune, .sqlite: nil
    case .coreData: "Core Data"
    case .postgres: "PostgreSQL"
    }
  }
}
