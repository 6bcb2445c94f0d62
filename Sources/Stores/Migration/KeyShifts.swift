package import Modeling

/// The offsets of keys when entities that had tables of their own come to share one.
///
/// The objects of one old table keep their keys. The keys of the others are shifted beyond these, and all references
/// with them.
package struct KeyShifts {
  /// The transfer of objects from an old table to a new one, both by their root entities.
  package struct Move: Hashable {
    package var from: Entity
    package var to: Entity

    package init(from: Entity, to: Entity) { (self.from, self.to) = (from, to) }
  }

  package var offsets: [Move: Int64] = [:]

  /// Creates offsets of 0.
  package init() {}

  /// The offset of keys of `from` in the table of `to`.
  package func offset(from: Entity, to: Entity) -> Int64 { offsets[Move(from: from.root, to: to.root)] ?? 0 }
}
