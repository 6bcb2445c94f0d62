internal import ObjectGraph
internal import Terminal

// What is shown before the rows: the card of an object, and the keys.
extension WatchScreen {
  private static let keys: [(keys: String, what: String)] = [
    ("Up, Down, PgUp, PgDn, g, G", "move"), ("Left, Right", "the column, those that are not shown, too"),
    ("s", "sort by the column; again: the other way; again: as it was"),
    ("/", "filter as a predicate is typed, or search as its view does"),
    ("Enter", "open the object; Up and Down go to the next"),
    ("Space", "hold the rows and let them go on; fold a section"),
    ("p", "hold the rows, in sections, too"), ("Tab", "fold a section"), ("Ctrl-L", "draw again"),
    ("q, Esc, Ctrl-D", "leave"),
  ]

  var helpFrame: ScreenFrame { helpPage(Self.keys) }

  /// The object on the selected line, as it is now.
  var cardFrame: ScreenFrame {
    guard let id = selectedObject else { return page([], "any key goes back") }
    return cardPage(results.live.context.object(id))
  }
}
