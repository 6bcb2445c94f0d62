internal import LiveQueries
internal import LuaBindings
package import LuaRuntime
internal import Modeling
package import Plots
package import Presentation

/// A value that was answered or shown, for a client to show in its own way.
///
///     answer.kind                                   .rows
///     try answer.text(in: .json)                    [{"code":"us1","magnitude":5.5}]
///     try answer.rows()?.columns.map(\.name)        ["code", "magnitude"]
package final class Answer {
  /// What the value is.
  package enum Kind: String {
    /// An object, a card of its properties.
    case object
    /// Rows with columns: a request, a result, a list of objects.
    case rows
    /// Rows that follow what is saved and changed.
    case live
    case plot
    /// A report as lines or a table of its own: an explanation, a difference, a summary.
    case listing
    case value
  }

  package let value: LuaReference
  private let options: ShowOptions
  /// Returns what shows it as texts are laid out now.
  private let presenter: () -> ValuePresenter

  init(_ value: LuaReference, _ options: ShowOptions, presenter: @escaping () -> ValuePresenter) {
    (self.value, self.options, self.presenter) = (value, options, presenter)
  }

  package var kind: Kind {
    get throws {
      try withValue { presenter, stack in
        switch try EngineValue(at: -1, on: stack, in: presenter.engine) {
        case .object: return .object
        case .plot: return .plot
        case .live, .section: return .live
        case .listing: return .listing
        case .value, .predicate, .model: return .value
        case .entity, .result, .collection: return .rows
        case .request(let request, _): return request.resultType == .count ? .value : .rows
        case .other: return try presenter.rows(at: -1, on: stack) == nil ? .value : .rows
        }
      }
    }
  }

  /// The plot, if it is one.
  package var plot: Plot? {
    get throws {
      try withValue { presenter, stack in
        if case .plot(let plot) = try EngineValue(at: -1, on: stack, in: presenter.engine) { plot } else { nil }
      }
    }
  }

  /// Writes the value as its client has texts laid out, in the mode of the session; `picture` draws a plot where texts can.
  package func write(to sink: OutputSink, picture: ((Plot) -> String?)? = nil) throws {
    try withValue { presenter, stack in
      var presenter = presenter
      presenter.picture = picture
      try presenter.show(at: -1, on: stack, only: options.columns, to: sink)
    }
  }

  /// The value as text in a mode: JSON, CSV, a table.
  package func text(in mode: OutputMode) throws -> String {
    let sink = OutputSink.inMemory()
    try withValue { presenter, stack in
      var presenter = presenter
      presenter.mode = mode
      try presenter.show(at: -1, on: stack, only: options.columns, to: sink)
    }
    return sink.text
  }

  /// The rows with their typed columns, to be read one by one; nil for what has none.
  package func rows() throws -> (any TabularSource)? {
    try withValue { try $0.rows(at: -1, on: $1, only: options.columns) }
  }

  /// Rows of a window, as cells, read up to its end.
  package func rows(_ window: Range<Int>) throws -> [[Cell]] {
    guard let source = try rows() else { return [] }
    var (rows, number): ([[Cell]], Int) = ([], 0)
    while number < window.upperBound, let row = try source.next() {
      if number >= window.lowerBound { rows.append(row) }
      number += 1
    }
    return rows
  }

  private func withValue<Result>(_ body: (ValuePresenter, LuaStack) throws -> Result) throws -> Result {
    let presenter = presenter()
    let stack = presenter.engine.lua.stack
    let top = stack.count
    stack.reserve(4)
    stack.push(value)
    defer { stack.setCount(top) }
    return try body(presenter, stack)
  }
}
