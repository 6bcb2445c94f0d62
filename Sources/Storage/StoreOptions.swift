public import Modeling

/// How a store is opened.
public struct StoreOptions {
  /// The file; `:memory:` for a store that lives in memory.
  public var path: String
  /// Make the file if it is not there.
  public var create = false
  /// Refuse every write.
  public var readOnly = false
  /// Write a Core Data store, which is else only read, and take back a change that was cut off in any store.
  public var writesCoreData = false
  /// The model the store shall have; nil takes the store's own.
  public var model: Model?
  /// Keep the SQL of scripts to rows and tables of this one file, as `Confinement` says.
  public var isConfined = false
  /// Survive a power cut after each save (synchronous FULL), not only a crash of the process.
  public var durable = false
  /// Turn the history on or off, in the file and for everybody; nil leaves it as it is.
  public var history: Bool?
  /// Whether dates that a file made elsewhere keeps as text are read as dates; nil as if true, unless who opens it says otherwise.
  public var readsDateTexts: Bool?
  /// How long to wait for another process's lock, in seconds.
  public var busyTimeout = 5.0
  /// Sees to what a migration to `model` cannot infer; called only if there is something.
  public var migrate: ((Migration) throws -> Void)?
  /// The way to `model` from version to version, where one step is not enough; `model` is one of theirs.
  public var stages: [MigrationStage] = []
  /// Keep a copy beside the file until a migration has succeeded.
  public var backsUp = true
  /// Migrate a private copy instead of the file.
  public var isRehearsal = false
  /// A store that this one, in memory, begins as a copy of.
  public var contents: SQLiteStore?
  /// Asked while opening waits or migrates; true gives up.
  public var isInterrupted: () -> Bool = { false }

  /// Opens the file at `path`.
  public init(path: String) { self.path = path }
}
