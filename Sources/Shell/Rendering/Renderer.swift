/// A way to write rows out.
protocol Renderer {
  func render(_ source: any TabularSource, to sink: OutputSink, options: RenderOptions) throws
}

/// The surroundings' options for the look of rows.
struct RenderOptions {
  /// The window's width in columns, or nil for no limit (a file, a pipe).
  var width: Int?
  var style = Style(enabled: false)
  var charset = Charset.utf8
  /// The widest a table's column may become.
  var maximumColumnWidth: Int?
  /// How many rows of a long result a table shows, unless `limit` says so.
  var rows = RowLimit.ends(first: 20, last: 5)
  /// At most so many rows are read, in every mode; a table shows them all.
  var limit: Int?
  /// The table that INSERT statements name, where it is not the rows' own.
  var tableName: String?
  /// Whether the rows are to be a file by themselves: a chunk that returns its table, in Lua.
  var isFile = false
  /// Whether the rows go to a terminal, where a control character in a value must not act.
  var isTerminal = false
  /// A table of few rows that would lose columns is shown as cards.
  var allowsCards = true
  /// The seconds the query took, for the footer. Asked last, after all rows.
  var elapsed: (() -> Double)?

  /// The rows that are shown of a long result: all of them if the user gave a limit.
  var shownRows: RowLimit { limit == nil ? rows : .all }
}

/// Which rows of a long result a table shows.
enum RowLimit: Equatable {
  case all
  case ends(first: Int, last: Int)
}
