/// The rows of a window that show a block with its prompts, and the place of the cursor in them.
///
///     quakes> for i = 1, 2 do
///          2>   print(i)
struct BlockLayout: Equatable {
  /// A row as it is written, with its colours, and the columns that it takes.
  struct Row: Equatable {
    var text = ""
    var width = 0
  }

  private(set) var rows = [Row()]
  private(set) var cursor = (row: 0, column: 0)
  private let columns: Int
  /// The colour that the last row is in.
  private var colour: Style.Role?

  /// A part of the block in a colour, in bytes of UTF-8.
  typealias Mark = (range: Range<Int>, role: Style.Role)

  static func == (left: BlockLayout, right: BlockLayout) -> Bool {
    left.rows == right.rows && left.cursor == right.cursor && left.columns == right.columns
  }

  /// Lays out `block`; `prompt` gives the prompt of each line, from 1. `marks` are in order and do not overlap; `hint` stands
  /// behind the end.
  init(
    _ block: [UInt8], point: Int, columns: Int, style: Style, marks: [Mark] = [], hint: String = "",
    prompt: (Int) -> String
  ) {
    self.columns = max(columns, 2)
    var line = 1
    var offset = 0
    var rest = marks[...]
    put(prompt: prompt(line))
    for character in String(decoding: block, as: UTF8.self) {
      if offset == point { markCursor() }
      // What a carriage return and a newline make is one character to Swift.
      if character.isNewline, character.utf8.contains(UInt8(ascii: "\n")) {
        if character != "\n" { put("^M", 2, .note, style) }
        addRow()
        line += 1
        put(prompt: prompt(line))
        offset += character.utf8.count
        continue
      }
      while let mark = rest.first, mark.range.upperBound <= offset { rest.removeFirst() }
      let role = rest.first.flatMap { $0.range.contains(offset) ? $0.role : nil }
      put(character, role, style)
      offset += character.utf8.count
    }
    if offset <= point { markCursor() }
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
    rows.append(Row())
  }

  /// Ends the colour of what was written last; neighbours share one.
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
