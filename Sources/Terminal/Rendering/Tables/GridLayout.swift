/// Which columns of a table are shown, and how wide they are.
package struct GridLayout {
  /// A column as it is shown.
  package struct Column: Equatable {
    /// Its place among the columns of the source.
    package var index: Int
    package var width: Int
    var isTrailing: Bool
    /// The digits after the point that the widest fraction takes, the point included.
    var fractionWidth = 0
    /// Whether dates are shown without their time.
    var isCutToDay = false
  }

  package private(set) var columns: [Column]
  /// How many columns are not shown; an ellipsis takes their place before `gap`.
  package private(set) var droppedCount = 0
  package private(set) var gap = 0

  /// The width of a column's borders and padding.
  private static let overhead = 3
  /// The narrowest a column of text becomes before columns are dropped; a date that is cut says nothing.
  private static let narrowest = 10

  package init(_ columns: [TabularColumn], rows: [[CellText]], options: RenderOptions) {
    let bound = min(options.maximumColumnWidth ?? .max, max((options.width ?? .max) - 4, 1))
    var minimums: [Int] = []
    var days: [Int?] = []
    self.columns = []
    for (index, column) in columns.enumerated() {
      let measured = Self.measure(column, index, rows: rows, bound: bound, options.charset)
      self.columns.append(measured.column)
      minimums.append(measured.minimum)
      days.append(measured.day)
    }
    guard let width = options.width else { return }
    let dull = columns.indices.map { index in
      columns[index].role == .toMany || rows.allSatisfy { $0[index].role == .missing }
    }
    fit(width, source: columns, minimums: &minimums, days: days, dull: rows.isEmpty ? dull.map { _ in false } : dull)
  }

  private static func measure(
    _ column: TabularColumn, _ index: Int, rows: [[CellText]], bound: Int, _ charset: Charset
  ) -> (column: Column, minimum: Int, day: Int?) {
    let isTrailing = column.alignment == .trailing
    let header = DisplayText(column.name, in: bound, charset).width
    var whole = 0
    var fraction = 0
    var values = 0
    var days = 0
    for row in rows {
      let cell = row[index]
      if isTrailing, cell.isNumber {
        let point = cell.text.utf8.firstIndex(of: UInt8(ascii: ".")) ?? cell.text.endIndex
        let length = cell.text.utf8.distance(from: cell.text.startIndex, to: point)
        whole = max(whole, length)
        fraction = max(fraction, cell.text.utf8.count - length)
      } else {
        values = max(values, DisplayText(cell.text, in: bound, charset).width)
        days = max(days, DisplayText(cell.day, in: bound, charset).width)
      }
    }
    values = min(max(values, whole + fraction), bound)
    let width = max(header, values, 1)
    let leastText = column.typeLabel == "Date" ? width : min(width, narrowest)
    let minimum = isTrailing ? max(values, min(header, narrowest)) : leastText
    let day = max(days, min(header, narrowest), 1)
    return (
      Column(index: index, width: width, isTrailing: isTrailing, fractionWidth: fraction), minimum,
      column.typeLabel == "Date" && day < width ? day : nil
    )
  }

  /// Cuts dates to the day, drops columns until the narrowest widths fit, then narrows the widest.
  ///
  /// Dates that the reader asked about keep their time longer than others.
  /// Those of the lowest standing go first: among them the `dull` ones, which hold counts of members or nothing at all, from
  /// the last, then the widest, of equal ones the one in the middle.
  private mutating func fit(
    _ width: Int, source: [TabularColumn], minimums: inout [Int], days: [Int?], dull: [Bool]
  ) {
    func needed(_ columns: [Column]) -> Int {
      columns.reduce(1) { $0 + minimums[$1.index] + Self.overhead }
        + (columns.count < source.count ? 1 + Self.overhead : 0)
    }
    for mayBeAsked in [false, true] where needed(columns) > width {
      for place in columns.indices where mayBeAsked || source[columns[place].index].standing != .asked {
        guard let day = days[columns[place].index] else { continue }
        minimums[columns[place].index] = day
        columns[place].width = day
        columns[place].isCutToDay = true
      }
    }
    gap = columns.count
    while columns.count > 1, needed(columns) > width {
      let place = Self.leastWanted(of: columns, source: source, minimums: minimums, dull: dull)
      columns.remove(at: place)
      droppedCount += 1
      gap = place
    }
    let available = width - 1 - columns.count * Self.overhead - (droppedCount > 0 ? 1 + Self.overhead : 0)
    narrow(to: max(available, columns.count), minimums)
  }

  private static func leastWanted(
    of columns: [Column], source: [TabularColumn], minimums: [Int], dull: [Bool]
  ) -> Int {
    if let place = columns.lastIndex(where: { dull[$0.index] && source[$0.index].standing < .title }) { return place }
    let lowest = columns.map { source[$0.index].standing }.min() ?? .other
    let candidates = columns.indices.filter { source[columns[$0].index].standing == lowest }
    let widest = candidates.map { minimums[columns[$0].index] }.max() ?? 0
    let middle = columns.count / 2
    return candidates.filter { minimums[columns[$0].index] == widest }
      .min { abs($0 - middle) < abs($1 - middle) } ?? middle
  }

  /// Lowers a common ceiling on the columns until their widths together are no more than `available`.
  private mutating func narrow(to available: Int, _ minimums: [Int]) {
    func total(_ ceiling: Int) -> Int {
      columns.reduce(0) { $0 + min($1.width, max(minimums[$1.index], ceiling)) }
    }
    var ceiling = columns.map(\.width).max() ?? 0
    guard total(ceiling) > available else { return }
    var low = 1
    while low < ceiling {
      let middle = (low + ceiling + 1) / 2
      if total(middle) <= available { low = middle } else { ceiling = middle - 1 }
    }
    var spare = available - total(low)
    for position in columns.indices {
      let column = columns[position]
      var width = min(column.width, max(minimums[column.index], low))
      if spare > 0, width < column.width, width == low {
        width += 1
        spare -= 1
      }
      columns[position].width = width
    }
    // One column that is still too wide is cut after all: there is nothing left to drop.
    if columns.count == 1 { columns[0].width = min(columns[0].width, available) }
  }
}
