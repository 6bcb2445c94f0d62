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
  private let source: PostgresRowSource
  /// The column that says whether the server has decided; nil if it never has.
  private let decidedColumn: Int?
  private var isAtEnd = false
  /// Whether the server has decided each row so far.
  private(set) var areDecided = true

  /// - Parameters:
  ///   - paths: the paths of further expressions that are evaluated for each row.
  ///   - areWhole: whether all columns of the rows are read, rather than those that are evaluated.
  init(_ selection: SplitRequest, _ store: PostgresStore, paths: [PropertyPath] = [], areWhole: Bool = false) throws {
    self.selection = selection
    entity = selection.request.entity
    let residual = selection.residual == nil ? [] : selection.request.predicate?.paths ?? []
    reader = SubjectReader(store, paths: residual + paths)
    let properties = areWhole ? nil : Set((residual + paths).compactMap(\.names.first))
    let columns = RowColumns(entity, selection.place, store, properties: properties)
    decidedColumn = selection.domain == nil ? nil : columns.columns.count
    let decided = selection.domain.map { ["\($0) IS NOT FALSE" as PostgresSQL] } ?? []
    source = try store.pool.stream(selection.select(columns.columns + decided, ordered: true))
    cursor = PostgresRowCursor(source, columns, entity, store)
  }

  /// The next rows; empty at the end only.
  func next() throws -> [KeptRow] {
    while !isAtEnd {
      var rows: [KeptRow] = []
      var decided: Set<Int> = []
      while rows.count < Self.chunk {
        guard try cursor.step() else {
          isAtEnd = true
          break
        }
        if let decidedColumn {
          if source.bytes(decidedColumn)?.first == 1 { decided.insert(rows.count) } else { areDecided = false }
        }
        rows.append(KeptRow(cursor))
      }
      try reader.prefetch(rows, entity)
      if let residual = selection.residual {
        rows = try rows.indices.filter {
          try decided.contains($0) || residual.evaluate(RowSubject(kept: rows[$0], reader: reader)) == true
        }.map { rows[$0] }
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
