package import Modeling

/// The meaning of an alias in a statement, so that query plans can be described in the model's words.
package struct AliasRole {
  /// The entity of the alias's rows; for a table of pairs, the entity of the members.
  package var entity: Entity
  /// The table's name.
  package var table: String
  /// The alias from which the join leads here, with the index of the relationship that it follows. The relationship is
  /// nil if the join leads to the same row, cast to a subentity. The whole is nil for the first table of the statement.
  package var origin: (alias: String, relationship: Int?)?
  /// Whether the rows are the pairs of a many-to-many relationship.
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
