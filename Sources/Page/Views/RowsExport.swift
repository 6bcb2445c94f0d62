internal import HTTP
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Session

/// All rows of a request as a file, sent piece by piece: memory does not grow with the rows.
struct RowsExport {
  private let asked: AskedRows
  private let format: PageFormat
  private let store: PageStore

  /// The rows of a piece.
  private static let pieceSize = 1000

  init(_ asked: AskedRows, _ format: PageFormat, in store: PageStore) {
    (self.asked, self.format, self.store) = (asked, format, store)
  }

  func response() throws -> HTTPResponse {
    guard let mode = OutputMode(rawValue: format.rawValue) else { throw PageProblem.noFormat(format) }
    let questions = asked.address.columns.map { ColumnRequest(question: .text($0)) }
    let columns = try EntityColumns(asked.entity, isData: true, only: questions.isEmpty ? nil : questions)
    // The keys as they are now: rows that come or go while the file is sent do not shift the others.
    let context = try store.context()
    let found = try store.reading { try context.fetch(asked.request) }
    var start = 0
    var hasBegun = false
    var response = HTTPResponse(
      type: format.mediaType,
      .pieces {
        guard start < found.count || !hasBegun else { return nil }
        let end = min(start + Self.pieceSize, found.count)
        let cells = ObjectCells(columns, isData: true)
        let rows = try (start..<end).compactMap { index -> [Cell]? in
          let object = try found[index]
          return object.isDeleted ? nil : try cells.cells(of: object)
        }
        let sink = OutputSink.inMemory()
        var options = RenderOptions()
        (options.rows, options.showsHeaders) = (.all, hasBegun ? false : nil)
        try mode.renderer.render(MemoryRows(columns: columns.columns, rows: rows), to: sink, options: options)
        (start, hasBegun) = (end, true)
        // A piece without bytes would end the file.
        return sink.contents.isEmpty ? nil : sink.contents
      })
    let name = asked.entity.name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    response.headers.append(.init("Content-Disposition", "attachment; filename=\"\(name).\(format.rawValue)\""))
    return response
  }
}
