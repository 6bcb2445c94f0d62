internal import LiveQueries
internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation

/// Live results for programs: a line of JSON for each row, and then one for each thing that becomes of a row.
///
///     {"event":"initial","index":0,"id":"Quake/5","values":{"code":"us5","magnitude":5.5}}
///     {"event":"updated","index":0,"oldIndex":0,"id":"Quake/5","kind":"remote","values":{"code":"us5","magnitude":6}}
///
/// Indices are those of live results' changes. The lines of a change are written at once, when observers are notified.
final class WatchEvents {
  private let session: EngineSession
  private let watched: WatchedResults
  private let columns: EntityColumns
  private let output: OutputSink
  private var failure: (any Error)?

  private var results: FetchedResults { watched.results }

  init(_ session: EngineSession, _ watched: WatchedResults, columns: EntityColumns) {
    self.session = session
    self.watched = watched
    self.columns = columns
    output = session.surroundings.output
  }

  /// Writes until the loop ends: by `stopLoop`, Ctrl-C, the time limit, or a reader that has gone.
  ///
  /// - Throws: OutputFailure, StoreError, LuaError.
  func run() throws {
    for index in 0..<results.count {
      try write(
        "initial", index: index, oldIndex: nil, section: nil, oldSection: nil,
        results.objectIDs(index..<index + 1).first)
      try output.checkpoint()
    }
    try finishTurn()
    let token = results.onChange(name: "watch", withFormerValues: true) { [unowned self] in note($0) }
    defer { token.cancel() }
    try session.engine.runLoop(seconds: nil)
    if let failure { throw failure }
  }

  private func note(_ change: ResultsChange) {
    do {
      for (event, entries) in [
        ("deleted", change.deleted), ("inserted", change.inserted), ("updated", change.updated),
        ("moved", change.moved),
      ] {
        for entry in entries {
          try write(
            event, index: entry.index, oldIndex: entry.oldIndex, section: entry.section, oldSection: entry.oldSection,
            entry.objectID, change)
        }
      }
      try finishTurn()
    } catch {
      failure = failure ?? error
      session.engine.stopLoop()
    }
  }

  private func finishTurn() throws {
    output.flush()
    try output.checkpoint()
  }

  private func write(
    _ event: String, index: Int?, oldIndex: Int?, section: Int?, oldSection: Int?, _ id: ObjectID?,
    _ change: ResultsChange? = nil
  ) throws {
    output.write("{\"event\":\"\(event)\"")
    for (name, number) in [("index", index), ("oldIndex", oldIndex), ("section", section), ("oldSection", oldSection)] {
      if let number { output.write(",\"\(name)\":\(number)") }
    }
    if let id { output.write(",\"id\":\(try OneRow.json("\(id)"))") }
    if let change {
      output.write(",\"kind\":\"\(change.kind.rawValue)\"")
      if let author = change.author {
        output.write(",\"author\":\(try OneRow.json(author))")
      }
    }
    if event != "deleted", let id {
      let object = results.live.context.object(id)
      let cells = try ObjectCells(columns, isData: true).cells(of: object)
      output.write(",\"values\":\(try OneRow.json(columns.columns.map(\.name), cells))")
      if let former = change?.former?.changes(of: id, entity: object.entity), !former.isEmpty {
        output.write(",\"old\":\(try OneRow.json(former.map(\.property), former.map { Cell($0.old) }))")
      }
    }
    output.write("}\n")
  }
}

/// Cells as the only row of a table.
final class OneRow: TabularSource {
  let columns: [TabularColumn]
  private var row: [Cell]?

  init(_ names: [String], _ cells: [Cell]) {
    columns = names.map { TabularColumn($0) }
    row = cells
  }

  func next() -> [Cell]? {
    defer { row = nil }
    return row
  }

  /// The cells as an object of JSON.
  static func json(_ names: [String], _ cells: [Cell]) throws -> String {
    let sink = OutputSink.inMemory()
    var options = RenderOptions(width: nil)
    options.rows = .all
    try OutputMode.ndjson.renderer.render(OneRow(names, cells), to: sink, options: options)
    return String(sink.text.dropLast())
  }

  /// A text as a value of JSON.
  static func json(_ text: String) throws -> String {
    let object = try json([""], [.text(text)])
    return String(object.drop { $0 != ":" }.dropFirst().dropLast())
  }
}
