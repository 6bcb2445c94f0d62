import Modeling
import SQLite

/// Creates the tables of a model in an empty file.
struct SchemaInstaller {
  let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Creates everything in one transaction; returns false if another process has created something meanwhile.
  func install(_ layout: ModelLayout) throws(StoreError) -> Bool {
    try connection.inTransaction { () throws(StoreError) in
      guard try connection.first("SELECT 1 FROM sqlite_schema WHERE type = 'table'") == nil else { return false }
      for statement in layout.schema.statements { try connection.execute(statement) }
      try StoreMetadata(model: layout.model.encoded()).write(connection)
      return true
    }
  }
}

extension Connection {
  /// Runs `body` in an outermost transaction, which is rolled back if `body` throws.
  func inTransaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }
}
