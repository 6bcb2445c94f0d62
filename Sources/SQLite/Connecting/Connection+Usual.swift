internal import CSQLite
package import StoreErrors

extension Connection {
  /// Runs a usual statement to its end.
  package func run(_ usual: UsualStatement) throws(StoreError) {
    let statement = try kept(usual)
    let code = sqlite3_step(statement.handle)
    defer { sqlite3_reset(statement.handle) }
    if code != SQLITE_DONE { throw error(code, sql: statement.sql) }
  }

  /// The number that a usual statement returns; nil if it returns none.
  package func number(_ usual: UsualStatement) throws(StoreError) -> Int64? {
    let statement = try kept(usual)
    let code = sqlite3_step(statement.handle)
    defer { sqlite3_reset(statement.handle) }
    switch code {
    case SQLITE_ROW: return sqlite3_column_int64(statement.handle, 0)
    case SQLITE_DONE: return nil
    default: throw error(code, sql: statement.sql)
    }
  }
}
