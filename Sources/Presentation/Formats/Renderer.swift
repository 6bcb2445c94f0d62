/// A way to write rows out.
package protocol Renderer {
  func render(_ source: any TabularSource, to sink: OutputSink, options: RenderOptions) throws
}

/// The surroundings' options for the look of rows.
package struct RenderOptions {
  /// The window's width in columns, or nil for no limit (a file, a pipe).
  package var width: Int?
  package var style = Style(enabled: false)
  package var charset = Charset.utf8
  /// The widest a table's column may become.
  package var maximumColumnWidth: Int?
  /// How many rows of a long result a table shows, unless `limit` says so.
  package var rows = RowLimit.ends(first: 20, last: 5)
  /// At most so many rows are read, in every mode; a table shows them all.
  package var limit: Int?
  /// The table that INSERT statements name, where it is not the rows' own.
  package var tableName: String?
  /// Whether the output is a file of its own: in Lua, a chunk that returns its table.
  package var isFile = false
  /// Whether formats that may have a line with the names of the columns have it; nil leaves it to the format.
  package var showsHeaders: Bool?
  /// Whether the rows go to a terminal, where a control character in a value must not act.
  package var isTerminal = false
  /// Whether the output begins at the left edge of a terminal that moves its cursor on request.
  package var movesCursor = false
  /// How the reader can see the rows that are left out: `.last shows all`.
  package var remedyForRows: String?
  /// A table of few rows that would lose columns is shown as cards.
  package var allowsCards = true
  /// The seconds the query took, for the footer. Asked last, after all rows.
  package var elapsed: (() -> Double)?
  /// Called with the number of rows, where a footer shows it.
  package var noteRows: ((Int) -> Void)?
  /// Called with each table: the name of a row, the columns that are shown, and those that had no room.
  package var noteColumns: ((_ rowName: String?, _ shown: [String], _ dropped: [String]) -> Void)?

  package init(
    width: Int? = nil,
    style: Style = Style(enabled: false),
    charset: Charset = .utf8,
    maximumColumnWidth: Int? = nil,
    rows: RowLimit = .ends(first: 20, last: 5),
    limit: Int? = nil,
    tableName: String? = nil,
    isFile: Bool = false, showsHeaders: Bool? = nil,
    isTerminal: Bool = false,
    allowsCards: Bool = true,
    elapsed: (() -> Double)? = nil
  ) {
    self.width = width
    self.style = style
    self.charset = charset
    self.maximumColumnWidth = maximumColumnWidth
    self.rows = rows
    self.limit = limit
    self.tableName = tableName
    self.isFile = isFile
    self.showsHeaders = showsHeaders
    self.isTerminal = isTerminal
    self.allowsCards = allowsCards
    self.elapsed = elapsed
  }

  /// The rows that are shown of a long result: all of them if the user gave a limit.
  var shownRows: RowLimit { limit == nil ? rows : .all }
}

/// Which rows of a long result a table shows.
package enum RowLimit: Equatable {
  case all
  case ends(first: Int, last: Int)
}
