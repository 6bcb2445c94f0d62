/// The contents of a full screen: its lines from the top, and the position of the cursor.
package struct ScreenFrame: Equatable {
  package struct Place: Equatable {
    package var row: Int
    package var column: Int

    package init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  package var size: TerminalSize
  package var lines: [ScreenLine] = []
  /// Nil hides the cursor.
  package var cursor: Place?

  package init(_ size: TerminalSize) { self.size = size }
}
