public import Modeling

// A plot as a specification of Vega-Lite 5, with its bars and points as the data.
extension Plot {
  /// The specification: the data are what is drawn, and the scales are those of the other forms.
  public var vegaLite: JSON {
    var specification: [String: JSON] = [
      "$schema": .string("https://vega.github.io/schema/vega-lite/v5.json"), "title": .string(title),
      "description": .string(count), "width": .int(560), "height": .int(320),
    ]
    let (values, encoding) = isBars ? bars : places
    specification["mark"] = .object(["type": .string(description.mark.rawValue), "tooltip": .bool(true)])
    specification["data"] = .object(["values": .array(values)])
    var channels = encoding
    if let color = description.color {
      channels["color"] = .object([
        "field": .string("series"), "type": .string("nominal"), "title": .string(color),
        "scale": .object(["domain": .array(series.map(JSON.string))]),
      ])
    }
    specification["encoding"] = .object(channels)
    return .object(specification)
  }

  private var isBars: Bool { description.mark == .bar }

  // MARK: Bars

  private var bars: ([JSON], [String: JSON]) {
    guard case .bars(let bands, let values) = content else { return ([], [:]) }
    // A bar without a place on the scale takes all bars to an axis of names.
    let isContinuous = hasScale && bands.allSatisfy { $0.start != nil }
    var rows: [JSON] = []
    for (index, band) in bands.enumerated() {
      for place in values.indices {
        guard let value = values[place][index] else { continue }
        var row: [String: JSON] = ["value": .plot(value)]
        if isContinuous, let start = band.start, let end = band.end {
          (row["start"], row["end"]) = (json(start, isDate: hasDates), json(end, isDate: hasDates))
        } else {
          row["band"] = .string(band.label)
        }
        if description.color != nil { row["series"] = .string(series[place]) }
        rows.append(.object(row))
      }
    }
    var value: [String: JSON] = [
      "field": .string("value"), "type": .string("quantitative"), "title": .string(valueName),
    ]
    let axis = valueAxis(ticks: hasScale ? Self.verticalTicks : Self.ticks)
    value["scale"] = scale(axis)
    value["axis"] = .object(["values": .array(axis.ticks.map(JSON.plot))])
    value["stack"] = isStacked ? .string("zero") : .null
    guard isContinuous else {
      let band: [String: JSON] = [
        "field": .string("band"), "type": .string("nominal"), "title": .string(description.x), "sort": .null,
      ]
      var channels =
        hasScale ? ["x": JSON.object(band), "y": .object(value)] : ["y": .object(band), "x": .object(value)]
      if description.color != nil, !isStacked {
        channels[hasScale ? "xOffset" : "yOffset"] = .object(["field": .string("series")])
      }
      return (rows, channels)
    }
    var start: [String: JSON] = ["field": .string("start"), "title": .string(description.x)]
    if hasDates {
      start["type"] = .string("temporal")
      start["scale"] = .object(["type": .string("utc")])
    } else {
      start["type"] = .string("quantitative")
      var bin: [String: JSON] = ["binned": .bool(true)]
      if let first = bands.first, let start = first.start, let end = first.end { bin["step"] = .plot(end - start) }
      start["bin"] = .object(bin)
    }
    return (
      rows, ["x": .object(start), "x2": .object(["field": .string("end")]), "y": .object(value)]
    )
  }

  // MARK: Points and lines

  private var places: ([JSON], [String: JSON]) {
    guard let yAxis = verticalAxis(ticks: Self.verticalTicks), let xAxis = horizontalAxis(ticks: Self.ticks) else {
      return ([], ["x": .object(["field": .string("x")]), "y": .object(["field": .string("y")])])
    }
    var labels: [String]?
    if case .bars(let bands, _) = content, !hasScale { labels = bands.map(\.label) }
    var rows: [JSON] = []
    for (place, points) in runs.enumerated() {
      for point in points {
        var row: [String: JSON] = ["y": json(point.y, isDate: verticalHasDates)]
        row["x"] = labels.map { .string($0[Int(point.x)]) } ?? json(point.x, isDate: hasDates)
        if description.color != nil { row["series"] = .string(series[place]) }
        rows.append(.object(row))
      }
    }
    var x = channel("x", description.x, xAxis, isDate: hasDates)
    if labels != nil {
      x = ["field": .string("x"), "type": .string("nominal"), "title": .string(description.x), "sort": .null]
    }
    let y = channel("y", valueName, yAxis, isDate: verticalHasDates)
    return (rows, ["x": .object(x), "y": .object(y)])
  }

  private func channel(_ field: String, _ title: String, _ axis: PlotAxis, isDate: Bool) -> [String: JSON] {
    [
      "field": .string(field), "type": .string(isDate ? "temporal" : "quantitative"), "title": .string(title),
      "scale": scale(axis, isDate: isDate),
    ]
  }

  /// A scale with the ends of an axis; times are in milliseconds there.
  private func scale(_ axis: PlotAxis, isDate: Bool = false) -> JSON {
    let factor = isDate ? 1_000.0 : 1
    var scale: [String: JSON] = [
      "domain": .array([.plot(axis.lower * factor), .plot(axis.upper * factor)]), "nice": .bool(false),
    ]
    if isDate { scale["type"] = .string("utc") } else { scale["zero"] = .bool(false) }
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
