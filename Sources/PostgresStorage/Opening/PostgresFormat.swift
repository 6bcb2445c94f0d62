import Postgres
import Stores

/// What the maker of a database's tables and the server decide together; opening decides it once.
///
/// What the server alone decides is in its `ServerProfile`.
struct PostgresFormat {
  /// Whether the model defines the tables. References hold the key of a row that is there, keys are numbers from sequences of
  /// ours, foreign keys empty references, derived values are written here, and another model migrates the tables.
  let declaresSchema: Bool
  /// Whether the model says by which column rows are spread over nodes, and references between entities that are spread alike
  /// include that column.
  let distributes: Bool
  /// Whether the server may refuse to join the rows of a relationship, because they lie on several nodes.
  let mayLieApart: Bool
  /// Whether rows have to be there before others refer to them.
  let checksReferencesAtOnce: Bool

  init(_ kind: StoreKind, _ profile: ServerProfile) {
    declaresSchema = kind == .perilune
    distributes = declaresSchema && profile.distributesTables
    mayLieApart = !declaresSchema && !profile.has(.joinsOfAnyColumns)
    checksReferencesAtOnce = !declaresSchema || !profile.has(.deferrableForeignKeys)
  }
}
