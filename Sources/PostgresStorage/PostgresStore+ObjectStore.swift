public import Stores

// The conformance to `ObjectStore`; most of its members are in the files of their subjects.
extension PostgresStore: ObjectStore {
  /// The traits of the store. Tables that others made may check references at once, and columns hold their own types.
  public var traits: StoreTraits {
    // By a socket of the same machine a statement takes as long as some dozens of rows; over a network, as many more.
    StoreTraits(
      allowsEmptyReferences: kind == .perilune, keepsDeclaredValues: kind == .perilune, rowsPerRoundTrip: 40)
  }

  /// The violations of the store's own rules. PostgreSQL enforces the rules of its tables.
  public func checkInvariants() throws -> [String] { [] }
}
