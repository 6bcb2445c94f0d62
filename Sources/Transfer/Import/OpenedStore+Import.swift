public import Modeling
public import Stores

extension OpenedStore {
  /// Inserts the rows of a source in one transaction; indexes are built afterwards if that is less work.
  ///
  /// Values are checked against the attributes' rules; attributes without a column get their defaults. With `upsert`,
  /// the index of an attribute among the columns, a row whose value exists already is updated instead. `skips` decides
  /// about invalid rows: true skips the row. `progress` is called every `every` rows.
  ///
  /// `again` opens the source anew, before its first row: with it, an import that the store could not put in order with the
  /// transactions of others is done again whole. Nil for a source that can be read only once.
  ///
  /// - Throws: ImportError with the place in the source; StoreError; errors of the source.
  public func importRows(
    into entity: Entity, from source: any ImportSource, mapping: [ImportColumn], upsert: Int? = nil, every: Int = 8192,
    skips: ((ImportError) -> Bool)? = nil, progress: ((ImportProgress) -> Void)? = nil,
    again: (() throws -> any ImportSource)? = nil
  ) throws -> ImportReport {
    if isReadOnly { throw readOnlyError }
    if entity.isReadOnly { throw StoreError(.readOnlyEntity(entity.name), path: path) }
    guard let again else { return try importOnce(into: entity, from: source, mapping, upsert, every, skips, progress) }
    var isFirst = true
    return try retrying {
      let source = isFirst ? source : try again()
      isFirst = false
      return try importOnce(into: entity, from: source, mapping, upsert, every, skips, progress)
    }
  }

  private func importOnce(
    into entity: Entity, from source: any ImportSource, _ mapping: [ImportColumn], _ upsert: Int?, _ every: Int,
    _ skips: ((ImportError) -> Bool)?, _ progress: ((ImportProgress) -> Void)?
  ) throws -> ImportReport {
    var importing: RowImporter?
    do {
      return try importRows(into: entity, from: source, mapping, upsert: upsert, every, skips, progress) {
        importing = $0
      }
    } catch let error as StoreError {
      // Rows that were written together are refused together.
      throw importing?.located(error, atCurrentRow: false) ?? error
    }
  }

  private func importRows(
    into entity: Entity, from source: any ImportSource, _ mapping: [ImportColumn], upsert: Int?, _ every: Int,
    _ skips: ((ImportError) -> Bool)?, _ progress: ((ImportProgress) -> Void)?, _ begin: (RowImporter) -> Void
  ) throws -> ImportReport {
    try transaction {
      // References are read before indexes are dropped, and existing rows are found by indexes during updates.
      let importer = try RowImporter(self, entity, source, mapping, upsert: upsert)
      begin(importer)
      func run() throws -> ImportReport {
        var rows = 0
        while try source.next() {
          do {
            try importer.write()
          } catch var error as ImportError {
            if error.row == nil { error.row = rows + 1 }
            guard let skips, skips(error) else { throw error }
            importer.report.skipped += 1
          }
          rows += 1
          if rows % 1024 == 0, isInterrupted() { throw StoreError(.interrupted, path: path) }
          if rows % every == 0, let progress {
            progress(ImportProgress(rows: rows, bytes: source.offset, totalBytes: source.size))
          }
        }
        return importer.report
      }
      if upsert != nil { return try run() }
      // Estimates some forty bytes per row; a pipe may have any number.
      let expected = source.size.map { $0 / 40 } ?? 100_000
      return try bulkInsert(into: entity, expecting: expected, run)
    }
  }
}
