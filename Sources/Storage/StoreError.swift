public import Modeling

/// Why the store refused or failed, as facts; the shell turns them into sentences.
public struct StoreError: Error, Hashable, Sendable {
  /// What happened.
  public var fact: Fact
  /// The file, when it is about one.
  public var path: String?

  /// Reports `fact` about the store at `path`.
  public init(_ fact: Fact, path: String? = nil) {
    self.fact = fact
    self.path = path
  }

  /// A kind of failure.
  public enum Fact: Hashable, Sendable {
    // Opening
    case notFound
    case isDirectory
    case notReadable(String)
    case notADatabase
    case encryptedOrNotADatabase
    case truncated
    case modelMismatch([String])
    case migrationRefused([String])
    case newerStore(version: Int)
    /// The file cannot be made: no such folder, no permission.
    case cannotCreate(String)
    // Working
    /// The store was closed.
    case closed
    case busy(seconds: Double, holders: [String])
    case readOnly
    case readOnlyEntity(String)
    case corrupt(String)
    case full
    case inputOutput(String)
    case interrupted
    /// The values of `properties` are already those of another row.
    case notUnique(entity: String, properties: [String], values: [Value])
    case constraint(String)
    /// A delete rule forbids it: the relationship still leads to so many objects.
    case deleteDenied(entity: String, relationship: String, count: Int)
    case sql(message: String, statement: String, offset: Int?)
    /// The row of the key is gone.
    case missingRow(entity: String, key: String)
    case outOfMemory
    // History
    /// The store is of a kind that keeps no history.
    case historyUnsupported(StoreKind)
    /// There never was a history.
    case noHistory
    /// Changes behind the token were purged, or not recorded; `oldest` is the first token that still tells everything.
    case historyExpired(token: HistoryToken, oldest: HistoryToken)
    /// The token is of another store, or of a time after a backup was taken.
    case unknownHistoryToken(HistoryToken, newest: HistoryToken)
  }
}
