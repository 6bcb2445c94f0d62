internal import Presentation

// What keys do in all tables.
extension TableScreen {
  /// Keys that move, for the help of all tables.
  static let movingKeys: Keys = [
    ("Up, Down, PgUp, PgDn, g, G", "move"), ("Left, Right", "the column, those that are not shown, too"),
  ]
  static let sortingKeys: Keys = [("s", "sort by the column; again: the other way; again: as it was")]
  static let columnKeys: Keys = [
    ("<, >", "make the column narrower or wider; =: all as wide as their cells"),
    ("-", "hide the column; +: show all"),
  ]
  static let drawingKeys: Keys = [("Ctrl-L", "draw again")]

  func obeyAsTable(_ key: Key) {
    if field?.isOpen == true, type(key) { return }
    if face != .rows { return obeyInFront(key) }
    if obeyOwn(key) || obeyMoving(key) { return }
    switch key {
    case .text("s"): sort()
    case .text("-"): hideColumn()
    case .text("+"): showAllColumns()
    case .text("<"): resizeColumn(by: -2)
    case .text(">"): resizeColumn(by: 2)
    case .text("="): resetWidths()
    case .text("Z"): foldAll()
    default: break
    }
  }

  /// A key that moves, helps or leaves; false for another.
  func obeyMoving(_ key: Key) -> Bool {
    switch key {
    case .up, .text("k"), .control("p"): move(to: selectedLine - 1)
    case .down, .text("j"), .control("n"): move(to: selectedLine + 1)
    case .pageUp, .control("b"): move(to: selectedLine - max(room - 1, 1))
    case .pageDown, .control("f"), .text(" "): move(to: selectedLine + max(room - 1, 1))
    case .home, .text("g"): move(to: 0)
    case .end, .text("G"): move(to: .max - 1)
    case .left, .text("h"): moveColumn(-1)
    case .right, .text("l"): moveColumn(1)
    case .control("l"): terminal.forgetScreen()
    case .text("?"), .function(1): face = .help
    case .text("q"), .control("d"): isEnding = true
    default: return false
    }
    return true
  }

  /// A key before a card or the help: it goes back to the rows.
  private func obeyInFront(_ key: Key) {
    if scrollsPage(key) { return }
    switch key {
    case .control("l"): terminal.forgetScreen()
    case .up where face == .card, .text("k") where face == .card: move(to: selectedLine - 1)
    case .down where face == .card, .text("j") where face == .card: move(to: selectedLine + 1)
    case .control("d"): isEnding = true
    default: face = .rows
    }
  }
}
