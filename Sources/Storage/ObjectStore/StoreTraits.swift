/// What a store can and cannot do, as far as contexts and live results act by it.
public struct StoreTraits: Hashable, Sendable {
  /// Whether a reference may be empty until the transaction is committed, also one that the model makes mandatory.
  ///
  /// A save then empties references to objects that it has still to insert, before it deletes what they led to.
  public var allowsEmptyReferences: Bool
  /// Whether each column holds values of the type that the model declares, in the form in which rows are read, so that
  /// what a commit tells of a row (`TouchedRows.Table.present`) can be judged in memory.
  public var keepsDeclaredValues: Bool

  /// States both.
  public init(allowsEmptyReferences: Bool, keepsDeclaredValues: Bool) {
    self.allowsEmptyReferences = allowsEmptyReferences
    self.keepsDeclaredValues = keepsDeclaredValues
  }
}
