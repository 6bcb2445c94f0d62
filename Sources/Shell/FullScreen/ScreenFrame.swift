/// The contents of a full screen: its lines from the top, and the position of the cursor.
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
