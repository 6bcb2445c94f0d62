internal import Presentation

/// The rows of a window that show one line of a block behind its prompt.
struct LineLayout {
  private(set) var rows = [BlockLayout.Row()]
  /// The place of the cursor, where it is in this line.
  private(set) var cursor: (row: Int, column: Int)?
  private let columns: Int
  /// The colour that the last row is in.
  private var colour: Style.Role?

  /// Lays out a line; `point` is the byte before which the cursor stands, nil where it is in another line.
  init(_ line: LaidOutLines.Line, point: Int?, columns: Int, _ style: Style, hint: String) {
    self.columns = columns
    var offset = 0
    var rest = line.marks[...]
    put(prompt: line.prompt)
    for character in String(decoding: line.bytes, as: UTF8.self) {
      let end = offset + character.utf8.count
      if cursor == nil, let point, point < end { markCursor() }
      while let mark = rest.first, mark.range.upperBound <= offset { rest.removeFirst() }
      let role = rest.first.flatMap { $0.range.contains(offset) ? $0.role : nil }
      put(character, role, style)
      offset = end
    }
    if cursor == nil, point != nil { markCursor() }
    for character in hint { put(character, .note, style) }
    endColour()
  }

  private mutating func put(prompt: String) {
    var rest = prompt[...]
    while let start = rest.firstIndex(of: "\u{1B}"), let end = rest[start...].firstIndex(of: "m") {
      for character in rest[..<start] { put(String(character), character.terminalWidth) }
      rows[rows.count - 1].text += rest[start...end]
      rest = rest[rest.index(after: end)...]
    }
    for character in rest { put(String(character), character.terminalWidth) }
  }

  private mutating func put(_ character: Character, _ role: Style.Role?, _ style: Style) {
    let first = character.unicodeScalars.first?.value ?? 0
    if (0x20..<0x7F).contains(first), character.utf8.count == 1 {
      put(String(character), 1, role, style)
    } else if character == "\t" {
      put("  ", 2)
    } else if first < 0x20 || first == 0x7F {
      put("^" + String(UnicodeScalar(UInt8(first ^ 0x40))), 2, .note, style)
    } else if (0x80..<0xA0).contains(first) || character.terminalWidth == 0 {
      // A mark without a letter has no column of its own.
      put("\u{FFFD}", 1, .note, style)
    } else {
      put(String(character), character.terminalWidth, role, style)
    }
  }

  private mutating func put(_ text: String, _ width: Int, _ role: Style.Role? = nil, _ style: Style? = nil) {
    if rows[rows.count - 1].width + width > columns { addRow() }
    let role = style?.isEnabled == true ? role : nil
    if role != colour {
      endColour()
      if let role { rows[rows.count - 1].text += Style.beginning(role) }
      colour = role
    }
    rows[rows.count - 1].text += text
    rows[rows.count - 1].width += width
  }

  private mutating func addRow() {
    endColour()
    rows.append(BlockLayout.Row())
  }

  /// Ends the colour of the last text; neighbours share one.
  private mutating func endColour() {
    if colour != nil { rows[rows.count - 1].text += Style.end }
    colour = nil
  }

  private mutating func markCursor() {
    // Behind the last column the next row begins.
    if rows[rows.count - 1].width >= columns { addRow() }
    cursor = (rows.count - 1, rows[rows.count - 1].width)
  }
}
