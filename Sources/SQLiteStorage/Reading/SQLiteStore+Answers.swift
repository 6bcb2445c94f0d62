import Modeling
public import Queries
import SQLite

extension SQLiteStore {
  /// Evaluates predicates for every row of the request's entity, in one pass, by key. The request's own predicate and
  /// limits are ignored.
  ///
  /// - Throws: PredicateError, StoreError.
  public func answers(_ request: FetchRequest, to predicates: [Queries.Predicate]) throws -> AnswerCursor {
    let compiler = SQLCompiler(schema)
    var (statement, place) = compiler.rows(of: request)
    let key = layout(of: request.entity).key.columns.map(place.column)
    statement.columns = key
    for predicate in predicates.map(\.inlined) {
      // Two conditions, because "not true" is not the same as "false"; see SQLCompiler.condition.
      let yes = try compiler.condition(predicate, at: place)
      let no = try compiler.condition(predicate, at: place, isNegated: true)
      statement.columns.append("CASE WHEN \(yes.sql) THEN 1 WHEN \(no.sql) THEN 0 END")
    }
    statement.from = place.source.sql
    statement.order = key
    return StatementAnswerCursor(try bound(statement.sql), keyCount: key.count, interner: interner(of: request.entity))
  }
}

extension SQLiteStore {
  /// Returns the statement for a request of any result type, and the roles of its aliases.
  func statement(explaining request: FetchRequest) throws -> (sql: SQLFragment, roles: [String: AliasRole]) {
    var roles: [String: AliasRole] = [:]
    var schema = schema
    schema.tellAlias = { roles[$0] = $1 }
    let builder = RequestSQL(request, schema)
    let sql =
      switch request.resultType {
      case .objects: try builder.rows(keysOnly: false).sql
      case .objectIDs: try builder.keys()
      case .dictionaries: try builder.dictionaries().sql
      case .count: try builder.count()
      }
    return (sql, roles)
  }
}
