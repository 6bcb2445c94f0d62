/// The differences between stores that contexts and live results must know.
public struct StoreTraits: Hashable, Sendable {
  /// Whether the model declares the tables and indexes, so that opening the store with another model changes them.
  public let declaresSchema: Bool
  /// Whether a reference may be null until the transaction commits, even if the model makes it mandatory.
  ///
  /// A save then writes null references to objects that it inserts later, before it deletes the former destinations.
  public var allowsEmptyReferences: Bool { declaresSchema }
  /// Whether each column holds values of the type that the model declares, in the form in which rows are read. Then a
  /// commit's record of a row (`TouchedRows.Table.present`) can be evaluated in memory.
  public var keepsDeclaredValues: Bool { declaresSchema }
  /// Whether a look at others' commits may read whole tables here, so that looks need pauses while others write.
  public let readsTablesForOthers: Bool
  /// The number of further rows that a statement reads in less time than another statement takes to reach the store; 0 for a
  /// store in this process.
  public let rowsPerRoundTrip: Int

  /// Creates traits.
  public init(declaresSchema: Bool, readsTablesForOthers: Bool = false, rowsPerRoundTrip: Int = 0) {
    self.declaresSchema = declaresSchema
    self.readsTablesForOthers = readsTablesForOthers
    self.rowsPerRoundTrip = rowsPerRoundTrip
  }
}
