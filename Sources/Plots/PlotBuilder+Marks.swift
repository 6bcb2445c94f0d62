public import Modeling

extension PlotBuilder {
  /// The place of a row in the plot, and its number.
  public struct Mark: Equatable, Sendable {
    /// The group; negative for a row that is not drawn.
    var group: Int32
    /// The band, or the cell.
    var place: Int
    /// The number that counts there, or the horizontal place of a point.
    var number = 0.0
    /// The vertical place of a point.
    var y = 0.0

    static let missing = Mark(group: -1, place: 0)
    static let outside = Mark(group: -2, place: 0)
  }

  /// A total of which the least or the greatest number is not known.
  struct UnsureTotal: Hashable {
    var group: Int32
    var place: Int
  }

  /// Finds where a row is drawn; `insert` draws it there.
  public mutating func mark(x: Value, y: Value, color: Value = .null, facet: Value = .null) -> Mark {
    switch description.mark {
    case .rect: cellMark(x, y, color, facet)
    case .box: sampleMark(x, y, color, facet)
    default: description.aggregate == nil ? pointMark(x, y, color, facet) : totalMark(x, y, color, facet)
    }
  }

  /// Draws a row.
  public mutating func insert(_ mark: Mark) {
    rows += 1
    guard mark.group >= 0 else {
      if mark == .missing { missing += 1 } else { outside += 1 }
      return
    }
    let (group, place) = (Int(mark.group), mark.place)
    groups[group].rows += 1
    switch description.mark {
    case .rect: groups[group].cells[place, default: PlotTotal()].add(mark.number)
    case .box:
      while groups[group].samples.count <= place { groups[group].samples.append([]) }
      groups[group].samples[place].append(mark.number)
    default: description.aggregate == nil ? insertPoint(mark) : insertTotal(mark)
    }
  }

  /// Takes a row away that was drawn at a mark.
  ///
  /// - Precondition: The plot is live.
  public mutating func remove(_ mark: Mark) {
    precondition(isLive)
    rows -= 1
    guard mark.group >= 0 else {
      if mark == .missing { missing -= 1 } else { outside -= 1 }
      return
    }
    let (group, place) = (Int(mark.group), mark.place)
    groups[group].rows -= 1
    var isSure = true
    switch description.mark {
    case .rect:
      isSure = groups[group].cells[place]?.remove(mark.number, description.aggregate) ?? true
      if groups[group].cells[place]?.count == 0 { groups[group].cells[place] = nil }
    case .box:
      if let index = groups[group].samples[place].firstIndex(of: mark.number) {
        groups[group].samples[place].swapAt(index, groups[group].samples[place].count - 1)
        groups[group].samples[place].removeLast()
      }
    default:
      if description.aggregate != nil {
        isSure = groups[group].totals[place].remove(mark.number, description.aggregate)
      } else if let found = groups[group].counted[place] {
        groups[group].counted[place] = found.count > 1 ? (found.count - 1, found.point) : nil
      }
    }
    if isEmptyEnd(mark) { needsAxes = true }
    if !isSure {
      unsure.insert(UnsureTotal(group: mark.group, place: place))
    }
  }

  /// Whether a mark was the last one at an end of an axis that has its ends from the rows.
  private func isEmptyEnd(_ mark: Mark) -> Bool {
    guard description.mark != .rect else {
      let (column, row) = (mark.place & Self.columnMask, mark.place >> Self.rowShift)
      return xScale.isEnd(column - 1) && !groups.contains { $0.cells.keys.contains { $0 & Self.columnMask == column } }
        || yScale.isEnd(row - 1) && !groups.contains { $0.cells.keys.contains { $0 >> Self.rowShift == row } }
    }
    guard description.mark == .box || description.aggregate != nil, xScale.isEnd(mark.place - 1) else { return false }
    return !groups.contains { group in
      description.mark == .box
        ? mark.place < group.samples.count && !group.samples[mark.place].isEmpty
        : mark.place < group.totals.count && group.totals[mark.place].count > 0
    }
  }

  /// Whether `settle` has something to do.
  public var isUnsure: Bool { !unsure.isEmpty }

  /// Finds the least and the greatest numbers again of totals that lost theirs, from the marks of all rows.
  public mutating func settle(_ marks: some Sequence<Mark>) {
    guard !unsure.isEmpty else { return }
    var totals: [UnsureTotal: PlotTotal] = [:]
    for mark in marks {
      let place = UnsureTotal(group: mark.group, place: mark.place)
      if unsure.contains(place) { totals[place, default: PlotTotal()].add(mark.number) }
    }
    for (place, total) in totals {
      if description.mark == .rect {
        groups[Int(place.group)].cells[place.place] = total
      } else {
        groups[Int(place.group)].totals[place.place] = total
      }
    }
    unsure = []
  }

  // MARK: Marks

  /// The band of a value: 0 where it is missing; nil where the row is not drawn, and how it is counted then.
  private mutating func band(_ place: BandScale.Place) -> (band: Int?, mark: Mark) {
    switch place {
    case .band(let band): return (band + 1, .missing)
    case .missing: return (0, .missing)
    case .impossible: return (nil, .missing)
    case .outside: return (nil, .outside)
    case .beyond(let band):
      needsAxes = true
      return (band + 1, .missing)
    }
  }

  private mutating func totalMark(_ x: Value, _ y: Value, _ color: Value, _ facet: Value) -> Mark {
    var number = 0.0
    if description.aggregate != .count {
      guard let value = y.plotNumber else { return .missing }
      number = value
    }
    let found = band(xScale.place(of: x))
    guard let band = found.band else { return found.mark }
    // Lines along a scale have nowhere to show rows without a value.
    if band == 0, description.mark != .bar, !xScale.isCategorical { return .missing }
    return Mark(group: Int32(group(color, facet)), place: band, number: number)
  }

  private mutating func sampleMark(_ x: Value, _ y: Value, _ color: Value, _ facet: Value) -> Mark {
    guard let number = y.plotNumber, number.isFinite, description.yAxis.scale == .linear || number > 0 else {
      return .missing
    }
    let found = band(xScale.place(of: x))
    guard let band = found.band else { return found.mark }
    return Mark(group: Int32(group(color, facet)), place: band, number: number)
  }

  private mutating func cellMark(_ x: Value, _ y: Value, _ color: Value, _ facet: Value) -> Mark {
    var number = 0.0
    if description.aggregate != .count {
      guard let value = color.plotNumber else { return .missing }
      number = value
    }
    let column = band(xScale.place(of: x))
    guard let left = column.band else { return column.mark }
    let row = band(yScale.place(of: y))
    guard let top = row.band else { return row.mark }
    return Mark(group: Int32(group(.null, facet)), place: top << Self.rowShift | left, number: number)
  }

  /// Points in the same cell are one, so that drawing costs by cells.
  private mutating func pointMark(_ x: Value, _ y: Value, _ color: Value, _ facet: Value) -> Mark {
    guard let x = x.plotNumber, let y = y.plotNumber, x.isFinite, y.isFinite,
      x > 0 || description.xAxis.scale == .linear, y > 0 || description.yAxis.scale == .linear
    else { return .missing }
    guard let xBounds, let yBounds else {
      // There was no row before.
      needsAxes = isLive
      return .missing
    }
    if description.xAxis.domain?.contains(x) == false || description.yAxis.domain?.contains(y) == false {
      return .outside
    }
    if x < xBounds.0 || x > xBounds.1 || y < yBounds.0 || y > yBounds.1 { needsAxes = true }
    let column = Self.cell(x, xBounds, description.xAxis)
    let row = Self.cell(y, yBounds, description.yAxis)
    let side = Int(Self.cells) + 1
    return Mark(group: Int32(group(color, facet)), place: row * side + column, number: x, y: y)
  }

  private static func cell(_ value: Double, _ bounds: (Double, Double), _ axis: PlotDescription.Axis) -> Int {
    let part =
      axis.scale == .log
      ? PlotAxis.logarithmicPart(value, max(axis.leastPositive ?? 0, bounds.0 > 0 ? bounds.0 : 1e-300), bounds.1)
      : (value / 2 - bounds.0 / 2) / (bounds.1 / 2 - bounds.0 / 2)
    return part.isFinite ? Int(saturating: (min(max(part, 0), 1) * cells).rounded(.down)) : 0
  }

  private mutating func insertTotal(_ mark: Mark) {
    let (group, band) = (Int(mark.group), mark.place)
    if groups[group].totals.count <= band {
      groups[group].totals.append(
        contentsOf: repeatElement(PlotTotal(), count: band + 1 - groups[group].totals.count))
    }
    groups[group].totals[band].add(mark.number)
  }

  private mutating func insertPoint(_ mark: Mark) {
    let (group, cell, point) = (Int(mark.group), mark.place, Plot.Point(x: mark.number, y: mark.y))
    if isLive {
      let found = groups[group].counted[cell]
      groups[group].counted[cell] = ((found?.count ?? 0) + 1, found?.point ?? point)
      return
    }
    let side = Int(Self.cells) + 1
    if groups[group].occupied.isEmpty {
      groups[group].occupied = Array(repeating: 0, count: (side * side + 63) / 64)
    }
    let bit = UInt64(1) << UInt64(cell % 64)
    if groups[group].occupied[cell / 64] & bit == 0 {
      groups[group].occupied[cell / 64] |= bit
      groups[group].points.append(point)
    }
  }
}
