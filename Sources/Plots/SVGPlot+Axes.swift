// The axes of a picture, and the points and lines on them.
extension SVGPlot {
  /// Draws a vertical axis with lines across the plane, its name above it, and returns the rest of the plane.
  func verticalAxis(
    _ axis: PlotAxis, _ name: String, _ plane: Frame, _ svg: inout SVGWriter
  ) -> Frame {
    let margin = (axis.labels.map(SVGWriter.width).max() ?? 0) + 8
    let frame = Frame(
      left: plane.left + margin, top: plane.top, width: plane.width - margin - 4,
      height: plane.height - 2 * Self.lineHeight)
    svg.text(SVGWriter.fit(name, plane.width), plane.left, plane.top - 12, class: "muted")
    for (tick, label) in zip(axis.ticks, axis.labels) {
      let y = frame.bottom - axis.part(of: tick) * frame.height
      svg.line(frame.left, y, frame.right, y, class: "grid")
      svg.text(label, frame.left - 5, y + 4, class: "muted", .end)
    }
    return frame
  }

  /// Draws the horizontal axis below a plane, leaving out labels that would touch.
  func horizontalAxis(_ axis: PlotAxis, _ name: String, _ frame: Frame, hasGrid: Bool = false, _ svg: inout SVGWriter) {
    svg.line(frame.left, frame.bottom, frame.right, frame.bottom, class: "axis")
    var end = -Double.infinity
    for (tick, label) in zip(axis.ticks, axis.labels) {
      let x = frame.left + axis.part(of: tick) * frame.width
      let label = SVGWriter.fit(label, max(frame.width / 4, 40))
      let half = SVGWriter.width(label) / 2
      if hasGrid { svg.line(x, frame.top, x, frame.bottom, class: "grid") }
      guard x - half > end else { continue }
      if !hasGrid { svg.line(x, frame.bottom, x, frame.bottom + 4, class: "axis") }
      svg.text(label, x, frame.bottom + 16, class: "muted", .middle)
      end = x + half + 6
    }
    svg.text(
      SVGWriter.fit(name, frame.width), frame.left + frame.width / 2, frame.bottom + 16 + Self.lineHeight,
      class: "muted", .middle)
  }

  /// Draws points or lines with their axes.
  func places(_ content: Plot.Content, _ plot: Plot, _ plane: Frame, _ svg: inout SVGWriter) {
    guard let yAxis = plot.verticalAxis(ticks: Plot.verticalTicks), let xAxis = plot.horizontalAxis(ticks: Plot.ticks)
    else { return }
    let frame = verticalAxis(yAxis, plot.valueName, plane, &svg)
    horizontalAxis(xAxis, plot.description.x, frame, &svg)
    for (place, points) in plot.runs(content).enumerated() {
      let color = "s\(place % Self.colors.count)"
      let places = points.map {
        (frame.left + xAxis.part(of: $0.x) * frame.width, frame.bottom - yAxis.part(of: $0.y) * frame.height)
      }
      switch plot.description.mark {
      case .line: svg.path(places, class: "run \(color)")
      case .area:
        let base = frame.bottom - min(max(yAxis.part(of: 0), 0), 1) * frame.height
        if let first = places.first, let last = places.last {
          svg.path(places + [(last.0, base), (first.0, base)], class: "area \(color)", isClosed: true)
        }
        svg.path(places, class: "run \(color)")
      default: for place in places { svg.circle(place.0, place.1, 2.5, class: "dot \(color)") }
      }
    }
  }
}
