internal import LiveQueries
internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Session

// The rows as data.
extension RowsView {
  /// The window as JSON, with the number of all rows and the address of the next window.
  func json() throws -> String {
    let columns = try EntityColumns(
      asked.entity, isData: true,
      only: address.columns.isEmpty ? nil : address.columns.map { ColumnRequest(question: .text($0)) })
    let cells = ObjectCells(columns, isData: true)
    let indices = indices
    let rows = try store.reading { try indices.map { try cells.cells(of: results[$0]) } }
    let sink = OutputSink.inMemory()
    var options = RenderOptions()
    options.rows = .all
    try OutputMode.json.renderer.render(MemoryRows(columns: columns.columns, rows: rows), to: sink, options: options)
    var next = JSON.null
    if window.upperBound < lineCount {
      var address = address
      address.first = window.upperBound + 1
      next = .string(address.text(.json) + (size == Self.pageSize ? "" : "&rows=\(size)"))
    }
    let head: [(String, JSON)] =
      [
        ("ok", .bool(true)), ("total", .int(Int64(count))), ("first", .int(Int64(window.lowerBound + 1))),
        ("next", next),
      ] + (lines == nil ? [] : [("sections", .array(headings))])
    let fields = head.map { "\"\($0)\":\($1.outputText)" }.joined(separator: ",")
    return "{\(fields),\"rows\":\(sink.text.trimmingNewlines)}\n"
  }

  /// The sections that begin in the window.
  private var headings: [JSON] {
    windowLines.compactMap { line in
      guard case .heading(let section, let isFolded) = line else { return nil }
      let value = section.id.isNull ? JSON.null : .string(section.id.displayText)
      return .object(["value": value, "count": .int(Int64(section.count)), "isFolded": .bool(isFolded)])
    }
  }

  /// The rows of the window, by their indices in the results.
  private var indices: [Int] {
    windowLines.compactMap { line in if case .row(let index) = line { index } else { nil } }
  }
}
