package import Presentation

/// The options of a `show` call, which override the session's settings.
package struct ShowOptions {
  package var mode: OutputMode?
  var columns: [ColumnRequest]?
  package var limit: Int?
  package var maximumWidth: Int?
  package var tableName: String?
  package var isFolded = false
  /// Whether a table has all rows.
  package var takesAllRows = false
  /// How the reader can see the rows that are left out.
  var remedyForRows: String?

  package init(mode: OutputMode? = nil) { self.mode = mode }
}
