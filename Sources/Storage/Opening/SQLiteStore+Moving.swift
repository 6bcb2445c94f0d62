extension SQLiteStore {
  /// Whether the store's file was moved, deleted or replaced since it was opened. What it holds can still be read, and
  /// copied by `backup(to:)`; writing is refused.
  public var isMoved: Bool { connection.isMoved }
}
