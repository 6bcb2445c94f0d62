import Modeling

/// What an alias of a statement stands for, so that plans can be told in the model's words.
struct AliasRole {
  /// The entity whose rows it goes through; for a table of pairs, that of the members.
  var entity: Entity
  /// The table's name.
  var table: String
  /// The alias that it is reached from, and the index of the relationship that leads here; nil where the statement begins.
  var origin: (alias: String, relationship: Int)?
  /// Whether its rows are the pairs of a many-to-many relationship.
  var isPairs = false
}
