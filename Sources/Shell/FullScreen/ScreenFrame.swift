/// What a full screen shows: its lines from the top, and where the cursor is.
struct ScreenFrame: Equatable {
  struct Place: Equatable {
    var row: Int
    var column: Int
  }

  var size: TerminalSize
  var lines: [ScreenLine] = []
  /// Nil hides the cursor.
  var cursor: Place?

  init(_ size: TerminalSize) { self.size = size }
}
