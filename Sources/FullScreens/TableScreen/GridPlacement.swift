internal import Presentation

/// Which columns of a full screen stand where, so that they stay in their places while rows come and go.
struct GridPlacement {
  /// The column behind the first one where those do not fit that come before; 0 where the table begins with the second.
  var start = 0
  /// The widths of the columns that are shown, by their places.
  var widths: [Int: Int] = [:]
  /// The columns that the widest cells are of.
  private var names: [String] = []
  /// For each column, the widest cells that were shown.
  private var widest: [[CellText]] = []

  /// The rows by which columns are laid out: those that are shown, and the widest cells that were.
  mutating func measured(_ columns: [TabularColumn], _ rows: [[CellText]], _ charset: Charset) -> [[CellText]] {
    // The name of a chosen or sorted column has marks.
    let names = columns.map { $0.name.filter { $0.isLetter || $0.isNumber } }
    if names != self.names { self = GridPlacement(names: names, widest: columns.map { _ in [] }) }
    widths = [:]
    for (column, _) in columns.enumerated() {
      let cells = rows.map { $0[column] } + widest[column]
      widest[column] = Self.measures(charset).compactMap { measure in
        cells.max { measure($0) < measure($1) }
      }
    }
    guard let count = widest.map(\.count).max(), count > 0, widest.allSatisfy({ $0.count == count }) else {
      return rows
    }
    return rows + (0..<count).map { place in widest.map { $0[place] } }
  }

  init() {}

  private init(names: [String], widest: [[CellText]]) { (self.names, self.widest) = (names, widest) }

  /// What the width of a column depends on: the whole cell, and the parts of numbers, whose points stand below each other.
  private static func measures(_ charset: Charset) -> [(CellText) -> Int] {
    func fraction(_ cell: CellText) -> Int {
      guard cell.isNumber, let point = cell.text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return 0 }
      return cell.text.utf8.distance(from: point, to: cell.text.utf8.endIndex)
    }
    return [
      { DisplayText($0.text, in: .max, charset).width }, fraction,
      { $0.isNumber ? $0.text.utf8.count - fraction($0) : 0 },
    ]
  }
}
