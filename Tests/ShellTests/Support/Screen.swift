@testable import Presentation
@testable import Shell

/// What a terminal shows: enough of a VT100 for readline and for tables.
struct Screen: CustomStringConvertible {
  private(set) var columns: Int
  private(set) var rows: Int
  private(set) var row = 0
  private(set) var column = 0
  private var cells: [[Character]]
  /// The last column was written and the cursor has not moved on: the next character wraps.
  private var wraps = false
  private var pending: [UInt8] = []

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  /// The lines, without blanks at their ends and empty lines below.
  var lines: [String] {
    var lines = cells.map { row in
      // The second half of a wide character is an empty cell.
      var text = String(row.filter { $0 != "\0" })
      while text.last == " " { text.removeLast() }
      return text
    }
    while lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines
  }

  /// The line with the cursor.
  var currentLine: String { lines.indices.contains(row) ? lines[row] : "" }

  var description: String { lines.joined(separator: "\n") + "\n[cursor \(row):\(column)]" }

  mutating func resize(columns: Int, rows: Int) {
    for index in cells.indices {
      cells[index] = Array((cells[index] + Array(repeating: " ", count: columns)).prefix(columns))
    }
    while cells.count < rows { cells.append(Array(repeating: " ", count: columns)) }
    while cells.count > rows {
      cells.removeFirst()
      row = max(row - 1, 0)
    }
    self.columns = columns
    self.rows = rows
    column = min(column, columns - 1)
  }

  mutating func write(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    // What may be the beginning of a sequence or of a character waits for its rest.
    var text = Substring(String(decoding: pending, as: UTF8.self))
    var held = 0
    if let last = text.unicodeScalars.last, last == "\u{FFFD}" {
      held = Array(pending.reversed().prefix(4)).firstIndex { $0 & 0xC0 != 0x80 }.map { $0 + 1 } ?? 0
      text = Substring(String(decoding: pending.dropLast(held), as: UTF8.self))
    }
    pending = Array(pending.suffix(held))
    while let character = text.first {
      if character == "\u{1B}" {
        guard let rest = escape(text) else {
          pending = Array(text.utf8) + pending
          return
        }
        text = rest
      } else {
        text.removeFirst()
        put(character)
      }
    }
  }

  /// Obeys the sequence that `text` begins with and returns what follows it, or nil if it is not all there.
  private mutating func escape(_ text: Substring) -> Substring? {
    var rest = text.dropFirst()
    guard let kind = rest.popFirst() else { return nil }
    guard kind == "[" else {
      if kind == "(" || kind == ")" { return rest.isEmpty ? nil : rest.dropFirst() }
      if kind == "M" { row = max(row - 1, 0) }
      // Strings to the terminal - pictures and questions - leave no text.
      if kind == "P" || kind == "_" || kind == "]" {
        return rest.firstRange(of: "\u{1B}\\").map { rest[$0.upperBound...] }
      }
      return rest
    }
    guard let end = rest.firstIndex(where: { $0.isLetter || $0 == "@" }) else { return nil }
    let numbers = rest[..<end].split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    control(rest[end], numbers)
    return rest[rest.index(after: end)...]
  }

  private mutating func control(_ command: Character, _ numbers: [Int]) {
    let count = max(numbers.first ?? 0, 1)
    if command != "m" { wraps = false }
    switch command {
    case "A": row = max(row - count, 0)
    case "B": row = min(row + count, rows - 1)
    case "C": column = min(column + count, columns - 1)
    case "D": column = max(column - count, 0)
    case "G": column = min(count - 1, columns - 1)
    case "H":
      row = min(count - 1, rows - 1)
      column = min(max(numbers.count > 1 ? numbers[1] : 1, 1) - 1, columns - 1)
    case "J":
      let mode = numbers.first ?? 0
      clear(row, from: mode == 2 ? 0 : column)
      for index in (mode == 2 ? 0 : row + 1)..<max(rows, row + 1) { clear(index, from: 0) }
    case "K": clear(row, from: numbers.first == 2 ? 0 : column)
    case "P":
      cells[row].removeSubrange(column..<min(column + count, columns))
      cells[row] += Array(repeating: " ", count: columns - cells[row].count)
    case "@":
      cells[row].insert(contentsOf: Array(repeating: " ", count: count), at: column)
      cells[row].removeLast(cells[row].count - columns)
    default: break
    }
  }

  private mutating func put(_ character: Character) {
    switch character {
    case "\r\n":
      column = 0
      newline()
    case "\n": newline()
    case "\r": column = 0
    case "\u{8}": column = max(column - 1, 0)
    case "\t": column = min((column / 8 + 1) * 8, columns - 1)
    case "\u{7}": return
    default:
      let width = character.terminalWidth
      if wraps || column + width > columns {
        column = 0
        newline()
      }
      guard width > 0 else { return }
      cells[row][column] = character
      if width == 2 { cells[row][column + 1] = "\0" }
      column += width
      wraps = column == columns
      if wraps { column -= 1 }
      return
    }
    wraps = false
  }

  private mutating func newline() {
    wraps = false
    if row + 1 < rows {
      row += 1
    } else {
      cells.removeFirst()
      cells.append(Array(repeating: " ", count: columns))
    }
  }

  private mutating func clear(_ index: Int, from start: Int) {
    guard cells.indices.contains(index) else { return }
    for place in start..<columns { cells[index][place] = " " }
  }
}
