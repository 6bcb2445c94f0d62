package import Modeling

/// What an alias of a statement stands for, so that plans can be told in the model's words.
package struct AliasRole {
  /// The entity whose rows it goes through; for a table of pairs, that of the members.
  package var entity: Entity
  /// The table's name.
  package var table: String
  /// The alias that it is reached from, and the index of the relationship that leads here, nil where the row is the same one,
  /// taken as one of the entity; nil where the statement begins.
  package var origin: (alias: String, relationship: Int?)?
  /// Whether its rows are the pairs of a many-to-many relationship.
  package var isPairs = false

  package init(
    entity: Entity, table: String, origin: (alias: String, relationship: Int?)? = nil, isPairs: Bool = false
  ) {
    self.entity = entity
    self.table = table
    self.origin = origin
    self.isPairs = isPairs
  }
}
