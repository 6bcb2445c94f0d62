internal import Terminal

/// The user's settings for this session.
final class ShellSettings {
  /// The output mode.
  var mode: OutputMode
  /// The table that INSERT statements name, where it is not the rows' own.
  var tableName: String?
  /// Whether the time of each block is printed.
  var isTimed = false
  /// Whether the SQL of each request is shown.
  var showsSQL = false

  init(mode: OutputMode) {
    self.mode = mode
  }
}
