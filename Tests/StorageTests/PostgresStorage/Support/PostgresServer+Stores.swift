import Postgres
import PostgresStorage
import TestSupport

extension PostgresServer {
  /// Opens a database of the server as a store, after running SQL in it.
  func open(
    _ database: String, after sql: String = "", _ change: (inout PostgresOptions) throws -> Void = { _ in }
  ) throws -> PostgresStore {
    if !sql.isEmpty { try psql(database, sql) }
    var options = PostgresOptions(try PostgresAddress(address(of: database)))
    try change(&options)
    return try PostgresStore(options)
  }
}
