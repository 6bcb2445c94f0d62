/// The contents of a full screen: its lines from the top, and the position of the cursor.
public struct ScreenFrame: Equatable {
  public struct Place: Equatable {
    public var row: Int
    public var column: Int

    public init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  public var size: TerminalSize
  public var lines: [ScreenLine] = []
  /// Nil hides the cursor.
  public var cursor: Place?

  public init(_ size: TerminalSize) { self.size = size }
}
