package import Queries
package import SQLite

extension SQLiteStore {
  /// Returns the statement for a request of any result type, and the roles of its aliases.
  package func statement(explaining request: FetchRequest) throws -> (sql: SQLFragment, roles: [String: AliasRole]) {
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
