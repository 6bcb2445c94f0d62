internal import Modeling

/// A plane of terminal cells with eight dots each, or with a mark of a series in each.
struct PlotCanvas {
  /// The marks that distinguish series without colours.
  static let marks = ["*", "o", "+", "x", "#", "@", "%", "=", "a", "b", "c", "d"]

  let columns: Int
  let rows: Int
  /// Whether cells have dots.
  let isDotted: Bool
  /// The dots of each cell, and the series that was last drawn there.
  private var dots: [UInt8]
  private var owners: [Int]

  init(columns: Int, rows: Int, isDotted: Bool) {
    self.columns = columns
    self.rows = rows
    self.isDotted = isDotted
    dots = Array(repeating: 0, count: columns * rows)
    owners = dots.map { _ in 0 }
  }

  private var dotColumns: Int { isDotted ? columns * 2 : columns }
  private var dotRows: Int { isDotted ? rows * 4 : rows }

  /// Draws points, whose places are parts of the plane from its upper left corner.
  mutating func points(_ places: [(Double, Double)], _ series: Int) {
    for place in places { set(dot(place), series) }
  }

  /// Draws a line from each place to the next.
  mutating func line(through places: [(Double, Double)], _ series: Int) {
    guard var from = places.first.map(dot) else { return }
    set(from, series)
    for place in places.dropFirst() {
      let to = dot(place)
      let steps = max(abs(to.0 - from.0), abs(to.1 - from.1))
      for step in 0..<steps {
        let part = Double(step + 1) / Double(steps)
        let column = Double(from.0) + Double(to.0 - from.0) * part
        let row = Double(from.1) + Double(to.1 - from.1) * part
        set((Int(column.rounded()), Int(row.rounded())), series)
      }
      from = to
    }
  }

  /// Draws a line from each place to the next, and fills the area between it and a base line.
  mutating func area(through places: [(Double, Double)], from base: Double, _ series: Int) {
    line(through: places, series)
    let bottom = dot((0, base)).1
    var tops: [Int: (Int, Int)] = [:]
    for (from, to) in zip(places, places.dropFirst().isEmpty ? places[...] : places.dropFirst()) {
      let (from, to) = (dot(from), dot(to))
      for column in from.0...max(to.0, from.0) {
        let part = to.0 == from.0 ? 1 : Double(column - from.0) / Double(to.0 - from.0)
        let row = from.1 + Int(saturating: (Double(to.1 - from.1) * part).rounded())
        let old = tops[column] ?? (row, row)
        tops[column] = (min(old.0, row), max(old.1, row))
      }
    }
    for (column, rows) in tops {
      for row in min(rows.0, bottom)...max(rows.1, bottom) { set((column, row), series) }
    }
  }

  private func dot(_ place: (Double, Double)) -> (Int, Int) {
    (
      Int(saturating: (min(max(place.0, 0), 1) * Double(dotColumns - 1)).rounded()),
      Int(saturating: (min(max(place.1, 0), 1) * Double(dotRows - 1)).rounded())
    )
  }

  private static let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

  private mutating func set(_ dot: (Int, Int), _ series: Int) {
    let cell = isDotted ? dot.1 / 4 * columns + dot.0 / 2 : dot.1 * columns + dot.0
    dots[cell] |= isDotted ? Self.bits[dot.1 % 4][dot.0 % 2] : 1
    owners[cell] = series
  }

  /// A line of cells, without the empty ones at its end.
  func line(_ row: Int, _ paint: (TextPlot.Role, String) -> String) -> String {
    let cells = row * columns..<(row + 1) * columns
    guard let last = cells.last(where: { dots[$0] != 0 }) else { return "" }
    var line = ""
    var (run, owner) = ("", -1)
    for cell in cells.lowerBound...last {
      if dots[cell] != 0, owners[cell] != owner {
        if !run.isEmpty { line += owner < 0 ? run : paint(.series(owner), run) }
        (run, owner) = ("", owners[cell])
      }
      if dots[cell] == 0 {
        run += " "
      } else if isDotted {
        run.unicodeScalars.append(Unicode.Scalar(UInt16(0x2800) + UInt16(dots[cell])) ?? " ")
      } else {
        run += Self.marks[owners[cell] % Self.marks.count]
      }
    }
    return line + (owner < 0 ? run : paint(.series(owner), run))
  }
}
