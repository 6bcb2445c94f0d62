public import ObjectGraph
public import Stores

/// What the program around an engine decides, shows and is notified of, as one value of closures.
///
///     var host = HostProgram()
///     host.onWarning = { print("warning: \($0)") }
///     engine.host = host
///
/// Every closure may be left out: nothing is asked then, and nothing is shown.
public struct HostProgram {
  // MARK: Decisions

  /// Asks a person before much is written; nil where there is no such person.
  public var approval: Approval?
  /// Whether a person types what runs, so that a store that is made now is not one that a script makes.
  public var isTyped: () -> Bool = { false }
  /// Called with a context before it saves, and a function that writes everything and takes that back, to learn what the store
  /// refuses. The returned function is called after the save, with what it failed for.
  public var willSave: ((ObjectContext, _ rehearse: () throws -> Void) throws -> ((_ failure: (any Error)?) -> Void)?)?

  /// Whether Ctrl-C stops what runs; false where the program has a handler of its own.
  public var catchesInterrupts = true

  // MARK: Files and texts

  /// Writes a file, and replaces an existing one only if `replaces`; nil if there is no file system.
  public var writesFile: ((_ path: String, _ replaces: Bool, _ bytes: [UInt8]) throws -> Void)?
  /// Called in a dry run in place of writing a file.
  public var wouldWriteFile: ((String) -> Void)?
  /// Truncates a text to a number of terminal columns and measures it; without it, a character is a column.
  public var fitsText: ((String, Int) -> (text: String, width: Int))?

  // MARK: Notifications

  /// Called in a dry run with the migration that opening a store would have made.
  public var didRehearseMigration: ((any OpenedStore, MigrationReport) -> Void)?
  /// Called with each entity that was made for a data file.
  public var onNewEntity: ((ImportedEntity) -> Void)?
  /// Called with the progress of long work on files.
  public var onProgress: ((TransferProgress) -> Void)?
  /// Called repeatedly while interruptible work runs.
  public var onWait: (() -> Void)?
  /// Called before `runLoop` waits, so that printed output is shown first.
  public var willWait: (() -> Void)?
  /// Called with errors of callbacks at once, and with errors of an event loop turn at its end. Without it, `endTurn`
  /// returns these errors.
  public var onCallbackErrors: (([any Error]) -> Void)?
  /// Called once with each probable mistake; without it, probable mistakes are among the notes.
  public var onWarning: ((String) -> Void)?
  /// Called with each slow fetch and count, and its context.
  public var onSlowRead: ((SlowRead, ObjectContext) -> Void)?
  /// Receives what live results of whole large tables take; nil if nothing shows it.
  public var largeResultWatch: LargeResultWatch?

  /// Creates a program that decides and shows nothing.
  public init() {}
}
