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
    let header = DisplayText(column.name + column.mark, in: bound, charset).width
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
    if let chosen = column.chosenWidth {
      let width = min(max(chosen, isTrailing ? values : 1), bound)
      let isCut = column.typeLabel == "Date" && width < values && width >= days
      return (
        Column(index: index, width: width, isTrailing: isTrailing, fractionWidth: fraction, isCutToDay: isCut), width,
        nil
      )
    }
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
  private mutating func fit(
    _ width: Int, source: [TabularColumn], minimums: inout [Int], days: [Int?], dull: [Bool]
  ) {
    var needed: Int { columns.reduce(1) { $0 + minimums[$1.index] + Self.overhead } }
    for mayBeAsked in [false, true] where needed > width {
      for place in columns.indices where mayBeAsked || source[columns[place].index].standing != .asked {
        guard let day = days[columns[place].index] else { continue }
        minimums[columns[place].index] = day
        columns[place].width = day
        columns[place].isCutToDay = true
      }
    }
    gap = columns.count
    if columns.count > 1, needed > width {
      let kept = kept(in: width - 1 - (1 + Self.overhead), source, minimums, dull)
      gap = columns.indices.first { !kept.contains($0) } ?? columns.count
      droppedCount = columns.count - kept.count
      columns = kept.sorted().map { columns[$0] }
    }
    let available = width - 1 - columns.count * Self.overhead - (droppedCount > 0 ? 1 + Self.overhead : 0)
    narrow(to: max(available, columns.count), minimums)
  }

  /// The columns that fit side by side at their narrowest, at least one.
  ///
  /// Those of a higher standing come first; the `dull` ones, which hold counts of members or nothing at all, last. Of equal ones
  /// those come first that the source names first, as it does what matters most; one that does not fit leaves its room to
  /// those behind it.
  private func kept(in width: Int, _ source: [TabularColumn], _ minimums: [Int], _ dull: [Bool]) -> Set<Int> {
    func isLast(_ index: Int) -> Bool { dull[index] && source[index].standing < .title }
    let ranks = [TabularColumn.Standing?.none] + Set(source.map(\.standing)).sorted()
    var (kept, room) = (Set<Int>(), width)
    for rank in ranks.reversed() {
      let equals = columns.indices.filter { rank == (isLast($0) ? nil : source[$0].standing) }
      for index in equals where minimums[index] + Self.overhead <= room {
        kept.insert(index)
        room -= minimums[index] + Self.overhead
      }
      if !kept.isSuperset(of: equals) { return kept.isEmpty ? Set(equals.prefix(1)) : kept }
    }
    return kept
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
