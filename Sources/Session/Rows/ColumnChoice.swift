/// What `.cols` has chosen for the tables of an entity.
package enum ColumnChoice: Equatable {
  /// These properties, key paths and expressions.
  case chosen([String])
  /// All columns, also where the window is too narrow for them.
  case all
}
