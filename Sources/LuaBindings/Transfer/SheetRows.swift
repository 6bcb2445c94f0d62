internal import Modeling
internal import Spreadsheets

/// The rows of a sheet as lines of JSON, each on the line of its number in the sheet.
///
/// The first row with cells names the columns if all its cells are texts.
final class SheetRows {
  /// The names of the columns so far.
  private(set) var columns: [String] = []
  /// Whether there was a row that does not name columns.
  private(set) var hasRows = false
  private let reader: SheetReader
  /// The number of the line that comes next.
  private var line = 1
  /// How many columns some line has; the first has all of them, so that they keep their order.
  private var shown = 0
  private var isBegun = false

  init(_ reader: SheetReader) { self.reader = reader }

  /// The lines up to the end of the next row; nil at the end.
  func next() throws -> [UInt8]? {
    guard let row = try reader.next() else { return nil }
    var bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: reader.number - line)
    line = reader.number
    if !isBegun {
      isBegun = true
      if Self.isHeader(row) {
        columns = Naming.unique(row.enumerated().map { Self.name($1, $0) })
        return bytes
      }
    }
    while columns.count < row.count { columns = Naming.unique(columns + [Self.name(.none, columns.count)]) }
    write(row, to: &bytes)
    hasRows = true
    line += 1
    return bytes
  }

  private static func isHeader(_ row: [SheetReader.Cell]) -> Bool {
    row.allSatisfy { if case .text = $0 { true } else { $0 == .none } }
  }

  private static func name(_ cell: SheetReader.Cell, _ index: Int) -> String {
    if case .text(let text) = cell { text } else { "column\(index + 1)" }
  }

  private func write(_ row: [SheetReader.Cell], to bytes: inout [UInt8]) {
    var separator = UInt8(ascii: "{")
    for index in 0..<max(row.count, shown == 0 ? columns.count : 0) {
      let cell = index < row.count ? row[index] : .none
      if cell == .none, index < shown { continue }
      bytes.append(separator)
      JSON.write(columns[index], to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      Self.json(cell).write(to: &bytes)
      separator = UInt8(ascii: ",")
    }
    shown = max(shown, columns.count)
    bytes += "}\n".utf8
  }

  private static func json(_ cell: SheetReader.Cell) -> JSON {
    switch cell {
    case .none: .null
    case .text(let text), .date(let text): .string(text)
    case .bool(let flag): .bool(flag)
    case .number(let number): Int64(exactly: number).map(JSON.int) ?? .double(number)
    }
  }
}
