import Modeling
import Queries
import Stores

/// The rows of a selection for which its whole predicate is true. They come some hundred at a time, so that the
/// destinations of relationships are read for many rows at once.
final class MatchedRows {
  private static let chunk = 512

  let reader: SubjectReader
  private let selection: SplitRequest
  private let entity: Entity
  private let cursor: PostgresRowCursor
  private var isAtEnd = false

  /// - Parameter paths: the paths of further expressions that are evaluated for each row.
  init(_ selection: SplitRequest, _ store: PostgresStore, paths: [PropertyPath] = []) throws {
    self.selection = selection
    entity = selection.request.entity
    let residual = selection.residual == nil ? [] : selection.request.predicate?.paths ?? []
    reader = SubjectReader(store, paths: residual + paths)
    let columns = RowColumns(entity, selection.place, store)
    let sql = selection.select(columns.columns, ordered: true)
    cursor = PostgresRowCursor(try store.pool.stream(sql), columns, entity, store)
  }

  /// The next rows; empty at the end only.
  func next() throws -> [KeptRow] {
    while !isAtEnd {
      var rows: [KeptRow] = []
      while rows.count < Self.chunk {
        guard try cursor.step() else {
          isAtEnd = true
          break
        }
        rows.append(KeptRow(cursor))
      }
      try reader.prefetch(rows, entity)
      if let residual = selection.residual {
        rows = try rows.filter { try residual.evaluate(RowSubject(kept: $0, reader: reader)) == true }
      }
      if !rows.isEmpty { return rows }
    }
    return []
  }

  func close() { cursor.close() }

  /// Calls `body` with each row, until it returns false.
  func forEach(_ body: (KeptRow, RowSubject) throws -> Bool) throws {
    defer { close() }
    while case let rows = try next(), !rows.isEmpty {
      for row in rows { if try !body(row, RowSubject(kept: row, reader: reader)) { return } }
    }
  }
}
