public import Modeling

/// Reads the destinations of relationships, for many objects at once, and the objects that refer to others without an
/// inverse.
public protocol RelationshipReading: ObjectStoreBasics {
  /// Returns the members of a to-many relationship for each owner, in its order, as pairs grouped by owner.
  ///
  /// One round trip for some hundred owners.
  ///
  /// - Throws: StoreError.
  func members(of relationship: Int, in entity: Entity, owners: [Int64]) throws -> [(owner: Int64, member: Int64)]

  /// Returns the member counts of a to-many relationship for each owner; owners without members may be omitted. Costs
  /// no more than `members`.
  ///
  /// - Throws: StoreError.
  func memberCounts(of relationship: Int, in entity: Entity, owners: [Int64]) throws -> [Int64: Int]

  /// Returns the key of the row that a reference's column values identify; nil if one of them is null or there is no
  /// such row.
  ///
  /// One round trip.
  ///
  /// - Throws: StoreError.
  func resolve(_ reference: [Value], of relationship: Int, in entity: Entity) throws -> Int64?

  /// Does the same for many values of a reference of one column. Values without a row are omitted, and so are values
  /// that differ from the row's although the store compares them as equal.
  ///
  /// One round trip for some dozen values.
  ///
  /// - Throws: StoreError.
  func resolveAll(_ values: [Value], of relationship: Int, in entity: Entity) throws -> [(value: Value, key: Int64)]

  /// Returns the column values of a reference to the row with a key; nulls if the row does not exist.
  ///
  /// No round trip if the reference holds keys.
  ///
  /// - Throws: StoreError.
  func referenceValues(to key: Int64, of relationship: Int, in entity: Entity) throws -> [Value]

  /// Returns the to-one relationships that lead to objects of `entity` without a delete rule there, with the store's
  /// action when such an object is deleted. No round trip.
  func looseReferences(to entity: Entity) -> [LooseReference]

  /// Returns the to-many relationships whose members are objects of `entity` without a delete rule there. No round
  /// trip.
  func looseCollections(to entity: Entity) -> [LooseReference]

  /// Calls `body` with each row whose to-one relationship leads to one of the rows of `entity` with `keys`, and with
  /// that row's key.
  ///
  /// Each pair comes once, in any order.
  ///
  /// - Throws: StoreError, or what `body` throws.
  func visitReferrers(
    of reference: LooseReference, to entity: Entity, keys: [Int64],
    _ body: (_ holder: Int64, _ target: Int64) throws -> Void
  ) throws

  /// Returns the rows whose to-many relationship contains one of the rows with `keys`. One round trip.
  ///
  /// - Throws: StoreError.
  func owners(of reference: LooseReference, members keys: [Int64]) throws -> Set<Int64>
}
