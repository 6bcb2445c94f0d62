internal import Presentation

/// The part of a block that is on the screen, and the bytes that bring it up to date: rows that stay are not written again.
struct BlockDisplay {
  private var shown: [BlockLayout.Row] = []
  private var cursor = (row: 0, column: 0)
  /// The first row of the layout that is shown, where the window has fewer.
  private var top = 0
  private var columns = 0

  /// Whether nothing is shown, so that the next layout begins where the cursor of the terminal is.
  var isEmpty: Bool { shown.isEmpty }

  /// The bytes that show a layout in place of the present one.
  mutating func show(_ layout: BlockLayout, in size: TerminalSize) -> String {
    var text = ""
    if !shown.isEmpty, columns != size.columns { text += clear(afterResizeTo: size.columns) }
    columns = size.columns
    let height = max(min(size.rows, layout.rows.count), 1)
    top = min(max(min(top, layout.cursor.row), layout.cursor.row - height + 1), layout.rows.count - height)
    let rows = Array(layout.rows[top..<(top + height)])
    // From the first row down. A row that is not there yet is made by a newline, which scrolls at the end of the window.
    var row = cursor.row
    func move(to target: Int) -> String {
      defer { row = target }
      if target < row { return "\u{1B}[\(row - target)A" }
      let made = max(shown.count - 1, 0)
      let down = min(target, made) - row
      let new = target - max(row, made)
      return (down > 0 ? "\u{1B}[\(down)B" : "") + String(repeating: "\r\n", count: max(new, 0))
    }
    for (index, content) in rows.enumerated() where index >= shown.count || shown[index] != content {
      text += move(to: index) + "\r" + content.text
      // At the end of a full row this would take its last column away.
      if content.width < size.columns { text += "\u{1B}[K" }
      if index >= shown.count { shown.append(content) }
    }
    if shown.count > rows.count { text += move(to: rows.count) + "\r\u{1B}[J" }
    shown = rows
    let target = (row: layout.cursor.row - top, column: layout.cursor.column)
    if !text.isEmpty || cursor != target {
      text += move(to: target.row) + "\r" + (target.column > 0 ? "\u{1B}[\(target.column)C" : "")
    }
    cursor = target
    return text
  }

  /// The bytes that erase the block and leave the cursor where it began.
  mutating func erase() -> String {
    defer { forget() }
    guard !shown.isEmpty else { return "" }
    return (cursor.row > 0 ? "\u{1B}[\(cursor.row)A" : "") + "\r\u{1B}[J"
  }

  /// The bytes that lead to a new line below the block, which stays.
  mutating func leave() -> String {
    defer { forget() }
    let down = shown.count - 1 - cursor.row
    return (down > 0 ? "\u{1B}[\(down)B" : "") + "\r\n"
  }

  /// Assumes that the block is gone from the screen.
  mutating func forget() {
    (shown, cursor, top) = ([], (0, 0), 0)
  }

  /// A terminal that became narrower breaks its rows once more.
  private mutating func clear(afterResizeTo columns: Int) -> String {
    func height(_ width: Int) -> Int { max((width + columns - 1) / columns, 1) }
    let above = shown.prefix(cursor.row).reduce(0) { $0 + height($1.width) } + cursor.column / columns
    forget()
    return (above > 0 ? "\u{1B}[\(above)A" : "") + "\r\u{1B}[J"
  }
}
