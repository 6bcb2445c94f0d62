public import Modeling

/// Reads what relationships lead to, for many objects at once, and what leads to objects without their knowing.
public protocol RelationshipReading: ObjectStoreBasics {
  /// The members of a to-many of each owner, in its order, as pairs that are grouped by owner.
  ///
  /// One round trip for some hundred owners.
  ///
  /// - Throws: StoreError.
  func members(of relationship: Int, in entity: Entity, owners: [Int64]) throws -> [(owner: Int64, member: Int64)]

  /// How many members a to-many of each owner has; owners without any may be left out. Costs no more than `members`.
  ///
  /// - Throws: StoreError.
  func memberCounts(of relationship: Int, in entity: Entity, owners: [Int64]) throws -> [Int64: Int]

  /// The key of the row that the values of a reference's columns name; nil where one of them is null or there is no such row.
  ///
  /// One round trip.
  ///
  /// - Throws: StoreError.
  func resolve(_ reference: [Value], of relationship: Int, in entity: Entity) throws -> Int64?

  /// The same for many values of a reference of one column; values without a row are left out, and so are those that the store
  /// takes for equal to what the row has although they differ.
  ///
  /// One round trip for some dozen values.
  ///
  /// - Throws: StoreError.
  func resolveAll(_ values: [Value], of relationship: Int, in entity: Entity) throws -> [(value: Value, key: Int64)]

  /// The values that a reference's columns hold to name the row with a key of its destination; nulls if the row does not exist.
  ///
  /// No round trip where the reference holds keys.
  ///
  /// - Throws: StoreError.
  func referenceValues(to key: Int64, of relationship: Int, in entity: Entity) throws -> [Value]

  /// The to-ones that lead to objects of `entity` without these knowing of it, with what the store does to them when such an
  /// object is deleted. No round trip.
  func looseReferences(to entity: Entity) -> [LooseReference]

  /// The to-manys that have objects of `entity` as members without these knowing of it. No round trip.
  func looseCollections(to entity: Entity) -> [LooseReference]

  /// Calls `body` with each row from which a to-one leads to one of the rows of `entity` with `keys`, and that row's key.
  ///
  /// Each pair comes once, in any order.
  ///
  /// - Throws: StoreError, or what `body` throws.
  func visitReferrers(
    of reference: LooseReference, to entity: Entity, keys: [Int64],
    _ body: (_ holder: Int64, _ target: Int64) throws -> Void
  ) throws

  /// The rows whose to-many has one of the rows with `keys` as a member. One round trip.
  ///
  /// - Throws: StoreError.
  func owners(of reference: LooseReference, members keys: [Int64]) throws -> Set<Int64>
}
