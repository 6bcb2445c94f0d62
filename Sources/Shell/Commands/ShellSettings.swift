/// The user's settings for this session.
final class ShellSettings {
  /// The output mode.
  var mode: OutputMode
  /// Whether the time of each block is printed.
  var isTimed = false
  /// Whether the SQL of each request is shown.
  var showsSQL = false

  init(mode: OutputMode) {
    self.mode = mode
  }
}
