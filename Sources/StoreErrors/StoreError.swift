public import Modeling

/// Why the store refused or failed, as facts; the shell turns them into sentences.
public struct StoreError: Error, Hashable, Sendable {
  /// What happened.
  public var fact: Fact
  /// The file, when it is about one.
  public var path: String?
  /// The key of the row that was refused, where the store wrote it later than it was given.
  public var key: Int64?

  /// Reports `fact` about the store at `path`.
  public init(_ fact: Fact, path: String? = nil) {
    self.fact = fact
    self.path = path
  }

  /// A kind of failure.
  public enum Fact: Hashable, Sendable {
    // Opening
    case notFound
    /// There is no store, where none can be made.
    case nothingToOpen
    case isDirectory
    case notReadable(String)
    case notADatabase
    /// It is the write-ahead log of a database: the one of that name, as far as its own tells.
    case isLog(of: String?)
    /// There is a write-ahead log, and no file or an empty one that it belongs to.
    case onlyLog
    /// A file beside the database that belongs to it cannot be read, and why.
    case companionNotReadable(String, String)
    case encryptedOrNotADatabase
    /// The file was a database, and its first bytes are not as they must be.
    case damagedHeader(HeaderDamage)
    /// A change was cut off. Its journal lies beside the file with the former content of this many pages; 0 if the number
    /// is not known. A reader with the right to write would roll the change back.
    case unfinishedChange(pages: Int)
    /// There is such a journal, and no file that it belongs to.
    case onlyJournal
    case truncated
    case modelMismatch([String])
    /// The Core Data store has none of the model's entities, but these.
    case modelOfOtherStore(known: [String])
    case migrationRefused([String])
    /// The model has no place for some of the store's content, and the options do not permit its loss; also all else that
    /// does not fit.
    case migrationLosing([String], obstacles: [String])
    case newerStore(version: Int)
    /// The store's model is a later version than the one given, which lacks `extra`.
    case newerModel(stored: String, wanted: String, extra: [String])
    /// The model of the store is not a model of any migration stage.
    case unknownModel(stored: String, known: [String], nearest: String, differences: [String])
    /// A stage, counted from 1, begins with another model than the one before it ends with.
    case stagesApart(stage: Int, begins: String, previous: String)
    case stagesEndElsewhere(last: String, wanted: String)
    /// The store was not made here.
    case notMigratable
    /// The copy that a migration makes beforehand could not be made.
    indirect case backupFailed(Fact, backup: String)
    /// A migration failed, and the store is not what it was before.
    case damagedByMigration(backup: String, reason: String)
    /// The file cannot be made: no such folder, no permission.
    case cannotCreate(String)
    /// A statement of a dump failed, and on which line it begins; `.openTransaction` at the end of one that is cut off,
    /// `.nothingToOpen` of one without tables.
    indirect case dump(line: Int, Fact)
    // Working
    /// The store was closed.
    case closed
    case busy(seconds: Double, holders: [String])
    /// It cannot be done within a transaction, and one is open.
    case openTransaction
    /// The word begins or ends a transaction, and the one that is open is not the statement's to end.
    case transactionHeld(String, by: TransactionHolder)
    /// Another process wrote while a cursor of this one is open, which still sees the state before: nothing can be
    /// written until the cursor is closed.
    case cursorIsOutdated
    case readOnly
    /// The connection saves what is approved, and nothing else.
    case notApproved
    /// The store's file was moved, deleted or replaced since it was opened: writes would be lost.
    case moved
    /// The file, or its folder, is not ours to write, although that was asked for.
    case notWritable(String)
    /// A Core Data store is written only where that was asked for.
    case coreDataReadOnly
    case readOnlyEntity(String)
    /// The Core Data store, or the entity, is only read.
    case coreDataNotWritable(CoreDataObstacle)
    case corrupt(String)
    case full
    case inputOutput(String)
    case interrupted
    /// The values of `properties` are already those of another row.
    case notUnique(entity: String, properties: [String], values: [Value])
    case constraint(String)
    /// The column keeps dates as texts of the form of `sample`, which cannot hold this one.
    case unfitDate(entity: String, property: String, Timestamp, sample: String)
    /// A delete rule forbids it: the relationship still leads to so many objects.
    case deleteDenied(entity: String, relationship: String, count: Int)
    /// Objects of the entity that a batch deletes are needed by mandatory to-ones of others.
    case deleteHeld(entity: String, Violation.Hold)
    case sql(message: String, statement: String, offset: Int?)
    /// The sandbox keeps SQL of scripts from it.
    case refusedBySandbox(RefusedSQL)
    /// The statement nests deeper than SQLite can read.
    case tooDeep
    /// The row of the key is gone.
    case missingRow(entity: String, key: String)
    case outOfMemory
    // Servers
    /// The library that speaks with servers of the kind is not there; `package` brings it.
    case clientLibraryMissing(package: String)
    /// The library is older than `version`, the first with all that is needed.
    case clientLibraryTooOld(package: String, version: String)
    /// The library refused what it was given, and why.
    case clientLibraryRefused(String)
    /// The address cannot be read, and why.
    case wrongAddress(String)
    /// No connection could be made, and why.
    case connectionFailed(String)
    /// The server has no database of the name.
    case noDatabase(String)
    /// The server wants a password, and there is none.
    case passwordMissing(user: String)
    /// The server did not answer in that many seconds.
    case connectionTimedOut(seconds: Double)
    /// The connection broke: whether the statement that ran was done is not known. The reason is the server's or the library's.
    case connectionLost(String)
    /// The connection broke while a transaction was committed: whether its changes are in the store is not known.
    case commitUnknown(String)
    /// The transaction could not be put in order with those of others, in so many attempts; nothing of it was written.
    case notSerialized(attempts: Int)
    /// The entity cannot be spread over nodes by a property: it has no such column, or `unique` columns do not include it.
    case notDistributable(entity: String, by: String, unique: [String])
    /// The server does not have what is needed for it.
    case lacking(server: String, feature: String)
    /// Rows of another statement are still being read from the connection.
    case connectionBusy
    /// The server's answer is none that its protocol allows there.
    case unexpectedAnswer(String)
    /// A text holds the character NUL, which the server cannot keep.
    case nulInText
    /// The value has more bytes than can be sent.
    case valueTooLarge(bytes: Int)
    /// The number does not fit into a column of that many bits.
    case numberTooLarge(Int64, bits: Int)
    /// The row, counted from 1, has fields too few, or -1: too many.
    case wrongFieldCount(row: Int, missing: Int)
    /// The text is no number that the server could keep.
    case wrongNumber(String)
    /// The server refused a statement.
    indirect case server(ServerError)
    /// Other stores can do it, and this one cannot.
    case cannot(StoreAbility)
    // Copying
    /// The store to copy into is the one to copy from.
    case sameStore
    /// The database to write a subset into has objects of the entity.
    case notEmpty(String)
    /// The attribute of the same name in the other store does not hold the value that the object with the key has.
    case wrongValue(entity: String, property: String, key: Int64, Value)
    // Undo after save
    /// No save is recorded that could be undone or redone.
    case nothingTo(SaveDirection)
    /// The last save cannot be undone.
    case notUndoable(UndoObstacle)
    /// Rows that the save wrote are no longer as it left them, so that nothing was undone or redone.
    case changedSince(SaveDirection, [ReversalConflict])
    // History
    /// The store is of a kind that keeps no history.
    case historyUnsupported(StoreKind)
    /// The history, if there is one, is kept by the app that made the store: only it turns it on or off, or purges it.
    case historyOfApp
    /// Properties are hidden, of which the history may have values.
    case historyHidden
    /// There never was a history.
    case noHistory
    /// Changes behind the token were purged, or not recorded; `oldest` is the first token that still tells everything.
    case historyExpired(token: HistoryToken, oldest: HistoryToken)
    /// The token is of another store, or of a time after a backup was taken.
    case unknownHistoryToken(HistoryToken, newest: HistoryToken)
  }
}
