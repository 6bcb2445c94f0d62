// The plot of the added rows.
extension PlotBuilder {
  /// The plot of all rows that were added.
  public func plot() -> Plot {
    // Series and panels are by name, not in the order of rows. Those whose rows were all removed do not appear.
    let drawn = groups.filter { $0.rows > 0 }
    let (drawnSeries, drawnPanels) = (Set(drawn.map(\.series)), Set(drawn.map(\.panel)))
    let order = series.names.indices.filter(drawnSeries.contains).sorted { series.names[$0] < series.names[$1] }
    let panelOrder = panels.names.indices.filter(drawnPanels.contains).sorted { panels.names[$0] < panels.names[$1] }
    var plot = Plot(description: description, panels: [], series: order.map { series.names[$0] })
    plot.hasDates = xScale.hasDates
    plot.verticalHasDates = verticalHasDates
    (plot.rows, plot.missing, plot.outside) = (rows, missing, outside)
    let names: [String?] = description.facet == nil || panelOrder.isEmpty ? [nil] : panelOrder.map { panels.names[$0] }
    let members = (panelOrder.isEmpty ? [0] : panelOrder).map { panel in
      order.map { place in groups.first { $0.panel == panel && $0.series == place } }
    }
    plot.panels = zip(names, contents(members)).map { Plot.Panel(name: $0, content: $1) }
    return plot
  }

  /// The contents of panels, of each of which the groups are given by series.
  private func contents(_ panels: [[Group?]]) -> [Plot.Content] {
    switch description.mark {
    case .rect: return cells(panels.map { $0.compactMap(\.self) })
    case .box: return boxes(panels)
    default: break
    }
    guard let aggregate = description.aggregate else {
      return panels.map { groups in
        .points(
          groups.map { group in
            let points = isLive ? (group?.counted.values.map(\.point) ?? []) : group?.points ?? []
            return points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
          })
      }
    }
    func total(_ group: Group?, _ places: [Int]) -> PlotTotal {
      places.reduce(into: PlotTotal()) { sum, place in
        if let group, place < group.totals.count { sum.add(group.totals[place]) }
      }
    }
    let bands = bands(xScale, groups.contains { ($0.totals.first?.count ?? 0) > 0 }) { place in
      groups.reduce(into: PlotTotal()) { $0.add(total($1, [place])) }.value(aggregate)
    }
    return panels.map { groups in
      .bars(
        bands.map(\.band),
        groups.map { group in
          bands.map { band -> Double? in
            let value = total(group, band.places).value(aggregate)
            return value == nil && (aggregate == .count || aggregate == .sum) ? 0 : value
          }
        })
    }
  }

  /// The bands of an axis with the places of the rows in them, at last those without a value.
  private func bands(
    _ scale: BandScale, _ hasMissing: Bool, weight: (Int) -> Double?
  ) -> [(band: Plot.Band, places: [Int])] {
    var bands = scale.bands(description) { weight($0 + 1) }.map { ($0.band, $0.places.map { $0 + 1 }) }
    if hasMissing { bands.append((Plot.Band(label: "nil", isRest: true), [0])) }
    return bands
  }

  private func boxes(_ panels: [[Group?]]) -> [Plot.Content] {
    func sample(_ group: Group?, _ place: Int) -> [Double] {
      group.flatMap { place < $0.samples.count ? $0.samples[place] : nil } ?? []
    }
    let bands = bands(xScale, groups.contains { $0.samples.first?.isEmpty == false }) { place in
      let count = groups.reduce(0) { $0 + sample($1, place).count }
      return count > 0 ? Double(count) : nil
    }
    return panels.map { groups in
      .boxes(
        bands.map(\.band),
        groups.map { group in bands.map { BoxSummary($0.places.flatMap { sample(group, $0) }) } })
    }
  }

  private func cells(_ panels: [[Group]]) -> [Plot.Content] {
    var (columns, rows): ([Int: Int], [Int: Int]) = ([:], [:])
    for cell in groups.lazy.flatMap(\.cells) {
      columns[cell.key & Self.columnMask, default: 0] += cell.value.count
      rows[cell.key >> Self.rowShift, default: 0] += cell.value.count
    }
    let x = bands(xScale, columns[0] != nil) { columns[$0].map(Double.init) }
    let y = bands(yScale, rows[0] != nil) { rows[$0].map(Double.init) }
    let aggregate = description.aggregate ?? .count
    var (columnPlaces, rowPlaces): ([Int: Int], [Int: Int]) = ([:], [:])
    for (index, band) in x.enumerated() { for place in band.places { columnPlaces[place] = index } }
    for (index, band) in y.enumerated() { for place in band.places { rowPlaces[place] = index } }
    return panels.map { groups in
      var totals = y.map { _ in x.map { _ in PlotTotal() } }
      for cell in groups.lazy.flatMap(\.cells) {
        guard let column = columnPlaces[cell.key & Self.columnMask], let row = rowPlaces[cell.key >> Self.rowShift]
        else {
          continue
        }
        totals[row][column].add(cell.value)
      }
      return .cells(x.map(\.band), y.map(\.band), totals.map { $0.map { $0.value(aggregate) } })
    }
  }
}
