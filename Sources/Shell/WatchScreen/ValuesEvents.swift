internal import LiveQueries
internal import LuaBindings
internal import Modeling
internal import Presentation

/// Live rows of values for programs: a line of JSON for each row, and then one for each thing that becomes of a row.
///
///     {"event":"initial","index":0,"values":{"place":"Chile","n":2}}
///     {"event":"updated","index":0,"oldIndex":0,"kind":"save","values":{"place":"Chile","n":3},"old":{"n":2}}
///
/// Places count as in the changes of live results. `old` has the columns that held something else.
final class ValuesEvents {
  private let session: EngineSession
  private let values: FetchedValues
  private let output: OutputSink
  private var failure: (any Error)?

  init(_ session: EngineSession, _ watched: WatchedValues) {
    self.session = session
    values = watched.values
    output = session.surroundings.output
  }

  /// Writes until the loop ends: by `stopLoop`, Ctrl-C, the time limit, or a reader that has gone.
  ///
  /// - Throws: OutputFailure, StoreError, LuaError.
  func run() throws {
    for index in 0..<values.count {
      try write("initial", index: index, try values.row(at: index))
      try output.checkpoint()
    }
    try finishTurn()
    let token = values.onChange(name: "watch") { [unowned self] in note($0) }
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
          // A count has one row, whose value is read.
          let row = entry.values.isEmpty ? try entry.index.map(values.row(at:)) ?? [] : entry.values
          try write(event, index: entry.index, oldIndex: entry.oldIndex, row, instead: entry.oldValues, change)
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
    _ event: String, index: Int?, oldIndex: Int? = nil, _ row: [Value], instead old: [Value] = [],
    _ change: ResultsChange? = nil
  ) throws {
    output.write("{\"event\":\"\(event)\"")
    for (name, number) in [("index", index), ("oldIndex", oldIndex)] {
      if let number { output.write(",\"\(name)\":\(number)") }
    }
    if let change {
      output.write(",\"kind\":\"\(change.kind.rawValue)\"")
      if let author = change.author { output.write(",\"author\":\(try OneRow.json(author))") }
    }
    if !row.isEmpty { output.write(",\"values\":\(try OneRow.json(values.columns, row.map { Cell($0) }))") }
    let changed = old.indices.filter { old[$0] != row[$0] }
    if !changed.isEmpty {
      output.write(",\"old\":\(try OneRow.json(changed.map { values.columns[$0] }, changed.map { Cell(old[$0]) }))")
    }
    output.write("}\n")
  }
}
