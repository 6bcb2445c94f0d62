import Layouts
package import Modeling
package import RelationalStorage
package import SQLite

extension Connection: MigrationDatabase {
  package func make(_ table: TableSchema, as name: String, of layout: ModelLayout) throws(StoreError) {
    try execute(table.createStatement(as: name))
  }

  package func add(_ column: ColumnSchema, to table: String, of layout: ModelLayout) throws(StoreError) {
    let name = quoteIdentifier(column.name)
    try execute("ALTER TABLE \(quoteIdentifier(table)) ADD COLUMN \(name) \(column.declaration)")
  }

  package func makeLinks(_ table: String) throws(StoreError) {
    try execute(
      """
      CREATE TABLE \(table) (owner INTEGER, member INTEGER, place INTEGER, other INTEGER, PRIMARY KEY (owner, member))
        WITHOUT ROWID
      """)
  }

  package var insertion: (start: String, end: String) { ("INSERT OR IGNORE INTO", "") }

  package func converted(
    _ column: String, of table: String, from old: AttributeType, to new: AttributeType
  ) -> String {
    "perilune_convert(\(column), '\(old.rawValue)', '\(new.rawValue)')"
  }

  package func begin(_ migrator: Migrator) throws(StoreError) -> [Migrator.Foreign] {
    // The journal records saves by table and column names, which may now belong to others.
    try execute("DROP TABLE IF EXISTS \(SaveJournal.table)")
    try HistorySwitch(self).suspend()
    return try migrator.dropIndexesAndTriggers(self)
  }

  package func end(_ migrator: Migrator, _ others: [Migrator.Foreign]) throws {
    try migrator.computeDerivedColumns()
    try migrator.makeIndexesAndTriggers(self)
    try migrator.restore(others, self)
    try HistorySwitch(self).resume(migrator.plan, migrator.new, migrator.shifts)
  }

  package func stores(of migrator: Migrator) -> (old: any OpenedStore, new: any OpenedStore) {
    (
      SQLiteStore(self, migrator.old.model, migrator.oldLayouts, isReadOnly: true),
      SQLiteStore(self, migrator.new.model, migrator.new.layouts, isReadOnly: false)
    )
  }

  package func refusingCommits(_ body: () throws -> Void) throws -> Bool {
    let former = refusesCommits
    refusesCommits = true
    defer { refusesCommits = former }
    try body()
    resetAll()
    return isInTransaction
  }
}
