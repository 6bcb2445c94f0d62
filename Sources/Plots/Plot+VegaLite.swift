public import Modeling

// A plot as a specification of Vega-Lite 5, with its bars and points as the data.
extension Plot {
  /// The specification: its data are the drawn values, and its scales are those of the other forms.
  public var vegaLite: JSON {
    var rows: [JSON] = []
    for panel in panels {
      for row in self.rows(of: panel.content) {
        var row = row
        if let name = panel.name { row["panel"] = .string(name) }
        rows.append(.object(row))
      }
    }
    let isSingle = panels[0].name == nil
    var view: [String: JSON] = ["width": .int(isSingle ? 560 : 180), "height": .int(isSingle ? 320 : 160)]
    var channels = channels
    if description.hasSeries {
      channels["color"] = .object([
        "field": .string("series"), "type": .string("nominal"), "title": .string(description.color ?? ""),
        "scale": .object(["domain": .array(series.map(JSON.string))]),
      ])
    }
    if case .boxes = content {
      view["layer"] = boxLayers
    } else {
      view["mark"] = mark
    }
    view["encoding"] = .object(channels)
    var specification = view
    if let facet = description.facet, !isSingle {
      specification = [
        "facet": .object(["field": .string("panel"), "type": .string("nominal"), "title": .string(facet)]),
        "columns": .int(3), "spec": .object(view),
      ]
    }
    specification["$schema"] = .string("https://vega.github.io/schema/vega-lite/v5.json")
    specification["title"] = .string(title)
    specification["description"] = .string(count)
    specification["data"] = .object(["values": .array(rows)])
    return .object(specification)
  }

  private var mark: JSON {
    var mark: [String: JSON] = ["type": .string(description.mark.rawValue), "tooltip": .bool(true)]
    if description.mark == .area { (mark["line"], mark["opacity"]) = (.bool(true), .double(0.4)) }
    if description.yAxis.domain != nil || description.xAxis.domain != nil { mark["clip"] = .bool(true) }
    return .object(mark)
  }

  /// Whether each band has a place on a scale: a bar without one takes all bars to an axis of names.
  private func isContinuous(_ bands: [Band]) -> Bool { !bands.isEmpty && bands.allSatisfy { $0.start != nil } }

  // MARK: Data

  private func rows(of content: Content) -> [[String: JSON]] {
    var rows: [[String: JSON]] = []
    func add(_ row: [String: JSON], _ place: Int) {
      rows.append(description.hasSeries ? row.merging(["series": .string(series[place])]) { $1 } : row)
    }
    switch content {
    case .bars(let bands, let values) where description.mark == .bar:
      for (index, band) in bands.enumerated() {
        for place in values.indices {
          guard let value = values[place][index] else { continue }
          add(
            fields(band, of: bands, "start", "end", "band", isDate: hasDates).merging(["value": .plot(value)]) { $1 },
            place)
        }
      }
    case .bars, .points:
      let labels = hasScale ? nil : bands.map(\.label)
      for (place, points) in runs(content).enumerated() {
        for point in points {
          let x = labels.map { JSON.string($0[Int(saturating: point.x)]) } ?? json(point.x, isDate: hasDates)
          add(["x": x, "y": json(point.y, isDate: verticalHasDates)], place)
        }
      }
    case .boxes(let bands, let boxes):
      for (index, band) in bands.enumerated() {
        for (place, boxes) in boxes.enumerated() {
          guard let box = boxes[index] else { continue }
          add(
            [
              "band": .string(band.label), "low": .plot(box.low), "q1": .plot(box.lowerQuartile),
              "median": .plot(box.median), "q3": .plot(box.upperQuartile), "high": .plot(box.high),
              "count": .int(Int64(box.count)),
            ], place)
          for outlier in box.outliers { add(["band": .string(band.label), "outlier": .plot(outlier)], place) }
        }
      }
    case .cells(let columns, let lines, let values):
      for (line, row) in zip(lines, values) {
        for (column, value) in zip(columns, row) {
          guard let value else { continue }
          let x = fields(column, of: columns, "start", "end", "band", isDate: hasDates)
          let y = fields(line, of: lines, "low", "high", "line", isDate: verticalHasDates)
          add(x.merging(y) { $1 }.merging(["value": .plot(value)]) { $1 }, 0)
        }
      }
    }
    return rows
  }

  /// Where a band begins and ends, or its name.
  private func fields(
    _ band: Band, of bands: [Band], _ start: String, _ end: String, _ name: String, isDate: Bool
  ) -> [String: JSON] {
    guard isContinuous(bands), let from = band.start, let to = band.end else { return [name: .string(band.label)] }
    return [start: json(from, isDate: isDate), end: json(to, isDate: isDate)]
  }

  // MARK: Channels

  private var channels: [String: JSON] {
    switch content {
    case .bars where description.mark == .bar: return barChannels
    case .bars, .points: return placeChannels
    case .boxes(let bands, _):
      var channels: [String: JSON] = ["y": .object(names(bands, "band", description.x))]
      if description.hasSeries { channels["yOffset"] = .object(["field": .string("series")]) }
      return channels
    case .cells(let columns, let lines, _):
      var channels: [String: JSON] = [:]
      add(columns, "x", ("start", "end", "band"), description.x, description.xAxis, isDate: hasDates, to: &channels)
      add(
        lines, "y", ("low", "high", "line"), description.y, description.yAxis, isDate: verticalHasDates, to: &channels)
      var color: [String: JSON] = [
        "field": .string("value"), "type": .string("quantitative"), "title": .string(description.color ?? "count"),
      ]
      if let bounds = cellBounds {
        color["scale"] = .object(["domain": .array([.plot(bounds.least), .plot(bounds.greatest)])])
      }
      channels["color"] = .object(color)
      return channels
    }
  }

  private var barChannels: [String: JSON] {
    let axis = valueAxis(ticks: hasScale ? Self.verticalTicks : Self.ticks)
    var value: [String: JSON] = [
      "field": .string("value"), "type": .string("quantitative"), "title": .string(valueName), "scale": scale(axis),
      "axis": .object(["values": .array(axis.ticks.map(JSON.plot))]),
    ]
    value["stack"] = isStacked ? .string("zero") : .null
    let (along, across) = hasScale ? ("x", "y") : ("y", "x")
    var channels: [String: JSON] = [across: .object(value)]
    add(bands, along, ("start", "end", "band"), description.x, description.xAxis, isDate: hasDates, to: &channels)
    if description.hasSeries, !isStacked, !isContinuous(bands) {
      channels[along + "Offset"] = .object(["field": .string("series")])
    }
    return channels
  }

  /// Adds the channels of bands: from where to where on a scale, or names.
  private func add(
    _ bands: [Band], _ channel: String, _ fields: (String, String, String), _ title: String,
    _ asked: PlotDescription.Axis, isDate: Bool, to channels: inout [String: JSON]
  ) {
    guard isContinuous(bands) else {
      channels[channel] = .object(names(bands, fields.2, title))
      return
    }
    var start: [String: JSON] = ["field": .string(fields.0), "title": .string(title)]
    if isDate {
      start["type"] = .string("temporal")
      start["scale"] = .object(["type": .string("utc")])
    } else {
      start["type"] = .string("quantitative")
      if asked.scale == .log {
        start["scale"] = .object(["type": .string("log"), "nice": .bool(false)])
      } else {
        var bin: [String: JSON] = ["binned": .bool(true)]
        if let first = bands.first, let start = first.start, let end = first.end { bin["step"] = .plot(end - start) }
        start["bin"] = .object(bin)
      }
    }
    channels[channel] = .object(start)
    channels[channel + "2"] = .object(["field": .string(fields.1)])
  }

  /// An axis of names, the greatest of ranges on top.
  private func names(_ bands: [Band], _ field: String, _ title: String) -> [String: JSON] {
    var order = bands.map(\.label)
    if field == "line" {
      order = bands.filter { $0.start != nil }.map(\.label).reversed() + bands.filter { $0.start == nil }.map(\.label)
    }
    return [
      "field": .string(field), "type": .string("nominal"), "title": .string(title),
      "sort": .array(order.map(JSON.string)),
    ]
  }

  private var placeChannels: [String: JSON] {
    guard let yAxis = verticalAxis(ticks: Self.verticalTicks), let xAxis = horizontalAxis(ticks: Self.ticks) else {
      return ["x": .object(["field": .string("x")]), "y": .object(["field": .string("y")])]
    }
    let x = hasScale ? channel("x", description.x, xAxis, isDate: hasDates) : names(bands, "x", description.x)
    var y = channel("y", valueName, yAxis, isDate: verticalHasDates)
    if description.mark == .area { y["stack"] = .null }
    return ["x": .object(x), "y": .object(y)]
  }

  private func channel(_ field: String, _ title: String, _ axis: PlotAxis, isDate: Bool) -> [String: JSON] {
    [
      "field": .string(field), "type": .string(isDate ? "temporal" : "quantitative"), "title": .string(title),
      "scale": scale(axis, isDate: isDate),
    ]
  }

  /// Boxes in layers: whiskers, box, median and outliers.
  private var boxLayers: JSON {
    let axis = valueAxis(ticks: Self.ticks)
    func layer(_ mark: [String: JSON], _ from: String, _ to: String?) -> JSON {
      let value: [String: JSON] = [
        "field": .string(from), "type": .string("quantitative"), "title": .string(valueName), "scale": scale(axis),
      ]
      var encoding: [String: JSON] = ["x": .object(value)]
      if let to { encoding["x2"] = .object(["field": .string(to)]) }
      return .object([
        "mark": .object(mark), "encoding": .object(encoding),
        "transform": .array([.object(["filter": .string("isValid(datum.\(from))")])]),
      ])
    }
    return .array([
      layer(["type": .string("rule")], "low", "high"),
      layer(["type": .string("bar"), "opacity": .double(0.5), "tooltip": .bool(true)], "q1", "q3"),
      layer(["type": .string("tick"), "thickness": .int(3)], "median", nil),
      layer(["type": .string("point"), "size": .int(12)], "outlier", nil),
    ])
  }

  /// A scale with the ends of an axis; times are in milliseconds there.
  private func scale(_ axis: PlotAxis, isDate: Bool = false) -> JSON {
    let factor = isDate ? 1_000.0 : 1
    var scale: [String: JSON] = [
      "domain": .array([.plot(axis.lower * factor), .plot(axis.upper * factor)]), "nice": .bool(false),
    ]
    if axis.isLogarithmic {
      scale["type"] = .string("log")
    } else if isDate {
      scale["type"] = .string("utc")
    } else {
      scale["zero"] = .bool(false)
    }
    return .object(scale)
  }

  private func json(_ value: Double, isDate: Bool) -> JSON {
    isDate ? .string(Timestamp(value).iso8601) : .plot(value)
  }
}

extension JSON {
  /// A number; whole ones are written without a point.
  fileprivate static func plot(_ number: Double) -> JSON {
    number == number.rounded() && abs(number) < 9e15 ? .int(Int64(number)) : .double(number)
  }
}
