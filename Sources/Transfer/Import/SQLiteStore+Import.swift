public import Modeling
public import Storage

extension SQLiteStore {
  /// Inserts the rows of a source, all in one transaction; indexes are built after them where that is less work.
  ///
  /// Values keep the attributes' rules; attributes without a column get their defaults. With `upsert`, the index of an
  /// attribute among the columns, a row whose value is there already is updated instead. `skips` decides about rows
  /// that are wrong: true leaves the row out. `progress` is called every `every` rows.
  ///
  /// - Throws: ImportError with the place in the source; StoreError; what the source throws.
  public func importRows(
    into entity: Entity, from source: any ImportSource, mapping: [ImportColumn], upsert: Int? = nil, every: Int = 8192,
    skips: ((ImportError) -> Bool)? = nil, progress: ((ImportProgress) -> Void)? = nil
  ) throws -> ImportReport {
    try checkWritable(entity)
    return try transaction {
      // References are read before indexes go, and rows are found by them while they are updated.
      let importer = try RowImporter(self, entity, source, mapping, upsert: upsert)
      func run() throws -> ImportReport {
        var rows = 0
        while try source.next() {
          do {
            try importer.write()
          } catch var error as ImportError {
            error.row = rows + 1
            guard let skips, skips(error) else { throw error }
            try checkTransaction()
            importer.report.skipped += 1
          }
          rows += 1
          if rows % 1024 == 0, connection.isInterrupted() { throw StoreError(.interrupted, path: path) }
          if rows % every == 0, let progress {
            progress(ImportProgress(rows: rows, bytes: source.offset, totalBytes: source.size))
          }
        }
        return importer.report
      }
      if upsert != nil { return try run() }
      // Some forty bytes a row; a pipe may bring any number.
      let expected = source.size.map { $0 / 40 } ?? 100_000
      return try bulkInsert(into: entity, expecting: expected, run)
    }
  }
}
