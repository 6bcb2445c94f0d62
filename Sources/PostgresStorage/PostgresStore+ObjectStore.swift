public import Storage

// What contexts and live results ask of a store; the rest of the conformance stands with its subjects.
extension PostgresStore: ObjectStore {
  /// What sets the store apart: references of tables that others made may be checked at once, and columns hold their own types.
  public var traits: StoreTraits {
    // By a socket of the same machine a statement takes as long as some dozens of rows; over a network, as many more.
    StoreTraits(
      allowsEmptyReferences: kind == .perilune, keepsDeclaredValues: kind == .perilune, rowsPerRoundTrip: 40)
  }

  /// What contradicts the store's own rules; PostgreSQL holds the rules of its tables itself.
  public func checkInvariants() throws -> [String] { [] }
}
