internal import CSQLite
package import SQLite

extension Statement {
  /// The storage class of a column's value.
  package func storageClass(_ column: Int) -> StorageClass {
    switch sqlite3_column_type(handle, Int32(column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }
}
