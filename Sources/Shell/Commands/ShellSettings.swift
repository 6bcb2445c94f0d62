/// What the person has set for this session.
final class ShellSettings {
  /// How results are shown.
  var mode: OutputMode
  /// Whether the time of each block is told.
  var isTimed = false
  /// Whether the SQL of each request is shown.
  var showsSQL = false

  init(mode: OutputMode) {
    self.mode = mode
  }
}
