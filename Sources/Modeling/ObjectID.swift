/// The identity of an object: its entity and the key of its row.
///
/// Two IDs are equal if they identify the same row. Only the entity's root counts: a `Car` fetched as a `Vehicle` is
/// the same object.
public struct ObjectID: Hashable, Sendable {
  /// The object's entity, or an ancestor of it if no more is known.
  public let entity: Entity
  /// The key within the root entity: the row id, or the store's number for a composite key. Keys at or below
  /// `temporaryLimit` belong to objects that were never saved.
  public let key: Int64

  /// The highest key of unsaved objects, whose keys count down from here; row ids of real tables are greater.
  public static let temporaryLimit = Int64.min / 2

  /// Creates the ID of the row `key` of `entity`.
  public init(entity: Entity, key: Int64) {
    self.entity = entity
    self.key = key
  }

  /// Whether the object has no row yet.
  public var isTemporary: Bool { key <= Self.temporaryLimit }

  /// Whether both identify the same row.
  public static func == (left: ObjectID, right: ObjectID) -> Bool {
    left.key == right.key && left.entity.root === right.entity.root
  }

  /// Hashes the row.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(ObjectIdentifier(entity.root))
  }
}

extension ObjectID: CustomStringConvertible {
  /// `Quake/12`, or `Quake/t1` for the first unsaved object.
  public var description: String {
    isTemporary ? "\(entity.name)/t\(Self.temporaryLimit - key + 1)" : "\(entity.name)/\(key)"
  }
}
