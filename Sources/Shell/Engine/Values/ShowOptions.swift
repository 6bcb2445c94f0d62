internal import Presentation

/// The options of a `show` call, which override the session's settings.
struct ShowOptions {
  var mode: OutputMode?
  var columns: [ColumnRequest]?
  var limit: Int?
  var maximumWidth: Int?
  var tableName: String?
  var isFolded = false
}
