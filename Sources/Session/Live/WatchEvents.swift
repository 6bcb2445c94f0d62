internal import LiveQueries
internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation

/// Live rows for programs: a line of JSON for each row, and then one for each thing that becomes of a row.
///
///     {"event":"initial","index":0,"id":"Quake/5","values":{"code":"us5","magnitude":5.5}}
///     {"event":"updated","index":0,"oldIndex":0,"id":"Quake/5","kind":"remote","values":{"code":"us5","magnitude":6}}
///
/// Indices are those of live results' changes. `old` has the columns that held something else. The lines of a change are
/// written at once, when observers are notified.
final class WatchEvents {
  private let engine: Engine
  private let content: LiveRows
  private let output: OutputSink
  private var failure: (any Error)?

  init(_ console: Console, _ content: LiveRows) {
    engine = console.engine
    self.content = content
    output = console.output
  }

  /// Writes until the loop ends: by `stopLoop`, Ctrl-C, the time limit, or a reader that has gone.
  ///
  /// - Throws: OutputFailure, StoreError, LuaError.
  func run() throws {
    for index in 0..<content.count {
      let id: ObjectID? = if case .object(let id)? = content.id(at: index) { id } else { nil }
      let cells = try content.reader(isData: true)(index)
      try write("initial", [("index", index)], id, nil, [("values", (content.columns.map(\.name), cells))])
      try output.checkpoint()
    }
    try finishTurn()
    let token = content.query.onChange(name: "watch", withFormerValues: content.isOfObjects) { [unowned self] in
      note($0)
    }
    defer { token.cancel() }
    try engine.loop.run(seconds: nil)
    if let failure { throw failure }
  }

  private func note(_ change: ResultsChange) {
    do {
      for (event, entries) in [
        ("deleted", change.deleted), ("inserted", change.inserted), ("updated", change.updated),
        ("moved", change.moved),
      ] {
        for entry in entries {
          let places = [
            ("index", entry.index), ("oldIndex", entry.oldIndex), ("section", entry.section),
            ("oldSection", entry.oldSection),
          ]
          let cells = [("values", try content.present(entry)), ("old", content.former(entry, in: change))]
          try write(event, places, content.object(of: entry), change, cells)
        }
      }
      try finishTurn()
    } catch {
      failure = failure ?? error
      engine.loop.stop()
    }
  }

  private func finishTurn() throws {
    output.flush()
    try output.checkpoint()
  }

  private func write(
    _ event: String, _ places: [(name: String, place: Int?)], _ id: ObjectID?, _ change: ResultsChange?,
    _ rows: [(name: String, row: LiveRows.NamedCells)]
  ) throws {
    output.write("{\"event\":\"\(event)\"")
    for (name, place) in places { if let place { output.write(",\"\(name)\":\(place)") } }
    if let id { output.write(",\"id\":\(try OneRow.json("\(id)"))") }
    if let change {
      output.write(",\"kind\":\"\(change.kind.rawValue)\"")
      if let author = change.author { output.write(",\"author\":\(try OneRow.json(author))") }
    }
    for (name, row) in rows where !row.names.isEmpty {
      output.write(",\"\(name)\":\(try OneRow.json(row.names, row.cells))")
    }
    output.write("}\n")
  }
}

extension LiveRows {
  /// Cells with the names of their columns.
  fileprivate typealias NamedCells = (names: [String], cells: [Cell])

  /// The object of a row that changed; nil for a row of values.
  fileprivate func object(of entry: ResultsChange.Entry) -> ObjectID? {
    if case .objects = self { entry.objectID } else { nil }
  }

  /// The cells of a row that is there; of a row that has gone, what the change tells of it.
  fileprivate func present(_ entry: ResultsChange.Entry) throws -> NamedCells {
    switch self {
    case .objects(let results, let shown):
      guard entry.index != nil, let id = entry.objectID else { return ([], []) }
      let cells = try ObjectCells(shown, isData: true).cells(of: results.live.context.object(id))
      return (columns.map(\.name), cells)
    case .values(let values):
      // A count has one row, whose value is read.
      let row = entry.values.isEmpty ? try entry.index.map(values.row(at:)) ?? [] : entry.values
      return row.isEmpty ? ([], []) : (columns.map(\.name), row.map { Cell($0) })
    }
  }

  /// The former cells of those that hold something else, as far as the change tells them.
  fileprivate func former(_ entry: ResultsChange.Entry, in change: ResultsChange) -> NamedCells {
    switch self {
    case .objects(let results, _):
      guard entry.index != nil, let id = entry.objectID else { return ([], []) }
      let former = change.former?.changes(of: id, entity: results.live.context.object(id).entity) ?? []
      return (former.map(\.property), former.map { Cell($0.old) })
    case .values(let values):
      let changed = entry.oldValues.indices.filter { entry.oldValues[$0] != entry.values[$0] }
      return (changed.map { values.columns[$0] }, changed.map { Cell(entry.oldValues[$0]) })
    }
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
