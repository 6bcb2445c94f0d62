public import Modeling

/// Keeps a store's past: switches its history, deletes old transactions, and undoes saves.
public protocol HistoryKeeping: ChangeTelling {
  /// Whether changes by this and all other programs are recorded.
  ///
  /// - Throws: StoreError.
  var isHistoryEnabled: Bool { get throws }

  /// Switches the recording of changes on or off, in the store and for all programs. Recorded changes stay.
  ///
  /// - Throws: StoreError, `.historyUnsupported` or `.historyOfApp` where it cannot be switched.
  func setHistoryEnabled(_ isEnabled: Bool) throws

  /// Returns the changes of a transaction that was fetched without them, limited to `entity` if given.
  ///
  /// - Throws: StoreError.
  func historyChanges(of transaction: HistoryTransaction, entity: Entity?) throws -> [HistoryChange]

  /// Deletes all transactions before that of `token`, which stays valid; returns the number of deleted changes.
  ///
  /// - Throws: StoreError; `.unknownHistoryToken` for a token that is later than the last change.
  @discardableResult
  func deleteHistory(before token: HistoryToken) throws -> Int

  /// Deletes all transactions before a time; returns the number of deleted changes.
  ///
  /// - Throws: StoreError.
  @discardableResult
  func deleteHistory(before date: Timestamp) throws -> Int

  /// Deletes the whole history; returns the number of deleted changes.
  ///
  /// - Throws: StoreError.
  @discardableResult
  func deleteHistory() throws -> Int

  /// Undoes the last save in a transaction of its own; `.redo` reverts the last undo. If it throws, nothing has changed.
  ///
  /// - Throws: StoreError: `.changedSince` with the rows that others changed, `.notUndoable`, `.nothingTo`.
  func reverseSave(_ direction: SaveDirection) throws -> ReversedSave

  /// Returns the save that `reverseSave` would reverse, with the objects that it would write.
  ///
  /// - Throws: StoreError, as `reverseSave` does.
  func saveToReverse(_ direction: SaveDirection) throws -> ReversibleSave
}
