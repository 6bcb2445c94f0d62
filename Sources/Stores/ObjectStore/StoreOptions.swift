public import Modeling
public import Queries

/// A text of SQL that makes a whole store.
public struct StoreDump: Sendable {
  /// The statements.
  public let text: String
  /// How many bytes of a store they may make.
  public let limit: Int

  /// Creates a dump of statements.
  public init(text: String, limit: Int) { (self.text, self.limit) = (text, limit) }
}

/// Options for opening a store.
public struct StoreOptions {
  /// The file's path; `:memory:` for a store in memory.
  public var path: String
  /// Creates the file if it does not exist.
  public var create = false
  /// Whether who opens it can create the file; it is hinted at where there is none.
  public var offersCreation = true
  /// Whether saves into a file that this opening creates belong to its making, so that no later session undoes them.
  public var isMaking = false
  /// Refuses every write.
  public var readOnly = false
  /// Writes Core Data stores, which otherwise are read-only, and rolls back an interrupted transaction of any store.
  public var writesCoreData = false
  /// The wanted model; nil for the store's own.
  public var model: Model?
  /// Confines the SQL of scripts to rows and tables of this file, as `Confinement` says.
  public var isConfined = false
  /// Attributes that are no part of the model and read as null by all SQL; for a store that is only read.
  public var hidden: [HiddenProperty] = []
  /// Makes each save survive a power cut (synchronous FULL), not only a crash of the process.
  public var durable = false
  /// Switches the history on or off, in the file and for all programs; nil leaves it unchanged.
  public var history: Bool?
  /// Whether dates that a file made elsewhere keeps as text are read as dates; nil as if true, unless who opens it says otherwise.
  public var readsDateTexts: Bool?
  /// The store whose tables this file has; its columns keep dates as those do. Nil where the rows tell.
  package var original: (any OpenedStore)?
  /// The longest wait for another process's lock, in seconds.
  public var busyTimeout = 5.0
  /// Makes the changes that a migration to `model` cannot infer; called after those that it can, whether or not anything is
  /// left to do. Such a migration may lose what `model` has no place for: the function has seen it.
  public var migrate: ((Migration) throws -> Void)?
  /// The migration to `model` in stages, from version to version; `model` must be one of them.
  public var stages: [MigrationStage] = []
  /// Lets a migration lose content that has no place in `model`; otherwise the migration is refused with a list of the
  /// losses.
  public var permitsLosses = false
  /// Keeps a backup next to the file until a migration has succeeded, and after one that lost something.
  public var backsUp = true
  /// Called every few thousand rows that a migration writes; nil counts none.
  public var onMigrationProgress: ((MigrationProgress) -> Void)?
  /// Migrates a private copy instead of the file.
  public var isRehearsal = false
  /// The store whose content this one, in memory, copies at opening.
  public var contents: (any OpenedStore)?
  /// The SQL that makes the content of this store, in memory, at opening.
  public var dump: StoreDump?
  /// A function that is called while opening waits or migrates; true cancels it.
  public var isInterrupted: () -> Bool = { false }

  /// Creates options for the file at `path`.
  public init(path: String) { self.path = path }
}
