internal import Modeling
internal import Plots

/// A diagram of a model in SVG: a box for each entity, a line for each relationship and its inverse, an arrow to each
/// parent.
///
/// The ends of a line show cardinality: a fork for many, a bar for one, and a circle if none is permitted. Related
/// entities are placed near each other; the same model gives the same bytes.
struct ModelDiagram {
  private struct Box {
    let entity: Entity
    let rows: [Row]
    let width: Double
    var x = 0.0
    var y = 0.0
    var column = 0
    var height: Double { ModelDiagram.head + Double(rows.count) * ModelDiagram.line + ModelDiagram.padding }
  }

  private struct Row {
    let name: String
    let type: String
    /// The index of the property; nil for a row that represents several.
    let property: Int?
  }

  private static let head = 28.0
  private static let line = 18.0
  private static let padding = 8.0
  private static let gap = 110.0
  private static let margin = 24.0
  /// The width of a letter of the font, 12 pixels high, with a margin for substitute fonts.
  private static let letter = 7.3
  /// The maximum number of attributes in a box; further ones are only counted.
  private static let mostAttributes = 14

  private let title: String
  private var boxes: [Box]
  private let places: [Entity: Int]

  init(_ model: Model, title: String) {
    self.title = title
    let order = Self.neighbours(model)
    boxes = order.map { Self.box($0) }
    places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    arrange()
  }

  // MARK: Places

  /// The entities in an order that places related ones after each other, the best connected first.
  private static func neighbours(_ model: Model) -> [Entity] {
    var neighbours: [Entity: [Entity]] = [:]
    for entity in model.entities {
      let own = entity.properties.indices.dropFirst(entity.parent?.properties.count ?? 0)
      let others = own.filter { entity.properties[$0].relationship != nil }.map { entity.destination(at: $0) }
      for other in others + [entity.parent].compactMap(\.self) {
        neighbours[entity, default: []].append(other)
        neighbours[other, default: []].append(entity)
      }
    }
    let byLinks = model.entities.enumerated().sorted { left, right in
      let (first, second) = (neighbours[left.element]?.count ?? 0, neighbours[right.element]?.count ?? 0)
      return (second, left.offset) < (first, right.offset)
    }
    var found: [Entity] = []
    var known: Set<Entity> = []
    for (_, start) in byLinks where known.insert(start).inserted {
      var queue = [start]
      var next = 0
      while next < queue.count {
        let entity = queue[next]
        next += 1
        found.append(entity)
        for other in neighbours[entity] ?? [] where known.insert(other).inserted { queue.append(other) }
      }
    }
    return found
  }

  private static func box(_ entity: Entity) -> Box {
    let own = Array(entity.properties.indices.dropFirst(entity.parent?.properties.count ?? 0))
    var rows: [Row] = []
    let attributes = own.filter { entity.properties[$0].attribute != nil }
    for index in attributes.prefix(attributes.count > mostAttributes + 1 ? mostAttributes : attributes.count) {
      guard let attribute = entity.properties[index].attribute else { continue }
      rows.append(
        Row(
          name: attribute.name, type: attribute.type.rawValue + (attribute.isOptional ? "?" : ""),
          property: index))
    }
    if rows.count < attributes.count {
      rows.append(Row(name: "and \(Quantity.grouped(attributes.count - rows.count)) more", type: "", property: nil))
    }
    for index in own {
      guard let relationship = entity.properties[index].relationship else { continue }
      let name = entity.destination(at: index).name
      rows.append(Row(name: relationship.name, type: relationship.isToMany ? "[\(name)]" : name, property: index))
    }
    let widest = rows.map { Double($0.name.count + $0.type.count + 3) }.max() ?? 0
    return Box(
      entity: entity, rows: rows, width: (max(widest, Double(entity.name.count + 2), 12) * letter).rounded(.up) + 20)
  }

  /// Distributes the boxes over columns of about the same height.
  private mutating func arrange() {
    let total = boxes.reduce(0) { $0 + $1.height + Self.line * 2 }
    let columns = max(1, Int((Double(boxes.count) * 0.8).squareRoot().rounded(.up)))
    let highest = max(total / Double(columns), boxes.map(\.height).max() ?? 0)
    var (x, y, widest, column) = (Self.margin, Self.margin + Self.head, 0.0, 0)
    for index in boxes.indices {
      if y > Self.margin + Self.head, y + boxes[index].height > highest + Self.margin + Self.head + Self.line {
        x += widest + Self.gap
        (y, widest, column) = (Self.margin + Self.head, 0, column + 1)
      }
      (boxes[index].x, boxes[index].y, boxes[index].column) = (x, y, column)
      y += boxes[index].height + Self.line * 2
      widest = max(widest, boxes[index].width)
    }
  }

  // MARK: Drawing

  /// The SVG document.
  var text: String {
    let width = (boxes.map { $0.x + $0.width }.max() ?? 200) + Self.margin + Self.gap / 2
    let height = (boxes.map { $0.y + $0.height }.max() ?? 60) + Self.margin
    var svg = SVGWriter()
    svg.raw(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(SVGWriter.number(width))\" height=\"\(SVGWriter.number(height))\""
        + " viewBox=\"0 0 \(SVGWriter.number(width)) \(SVGWriter.number(height))\" role=\"img\">")
    svg.raw("<title>\(SVGWriter.escaped(title))</title>")
    svg.raw(Self.style)
    svg.raw("<rect class=\"ground\" width=\"100%\" height=\"100%\"/>")
    svg.text(title, Self.margin, Self.margin + 4, class: "title")
    for box in boxes { draw(linesOf: box, in: &svg) }
    for box in boxes { draw(box, in: &svg) }
    svg.raw("</svg>")
    return svg.lines.joined(separator: "\n") + "\n"
  }

  private static let style = """
    <style>
    text { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #24292f }
    .title { font-size: 14px; font-weight: bold }
    .ground { fill: #ffffff }
    .box { fill: #ffffff; stroke: #57606a }
    .head { fill: #ddf4ff; stroke: #57606a }
    .name { font-weight: bold }
    .abstract { font-style: italic }
    .type { fill: #57606a }
    .link { fill: none; stroke: #0969da; stroke-width: 1.2 }
    .end { fill: #ffffff; stroke: #0969da; stroke-width: 1.2 }
    .parent { fill: none; stroke: #57606a; stroke-dasharray: 5 3 }
    .arrow { fill: #ffffff; stroke: #57606a }
    </style>
    """

  private func draw(_ box: Box, in svg: inout SVGWriter) {
    svg.rectangle(box.x, box.y, box.width, box.height, class: "box")
    svg.rectangle(box.x, box.y, box.width, Self.head, class: "head")
    let style = box.entity.isAbstract ? "name abstract" : "name"
    svg.text(box.entity.name, box.x + box.width / 2, box.y + 18, class: style, .middle)
    for (number, row) in box.rows.enumerated() {
      let y = box.y + Self.head + Double(number + 1) * Self.line - 3
      svg.text(row.name, box.x + 10, y, class: "property")
      svg.text(row.type, box.x + box.width - 10, y, class: "type", .end)
    }
  }

  private func draw(linesOf box: Box, in svg: inout SVGWriter) {
    if let parent = box.entity.parent, let place = places[parent] {
      let other = boxes[place]
      draw(from: (box, box.y + Self.head / 2), to: (other, other.y + Self.head / 2), class: "parent", in: &svg) {
        x, y, direction, svg in
        svg.path([(x, y), (x + 10 * direction, y - 6), (x + 10 * direction, y + 6)], class: "arrow", isClosed: true)
      }
    }
    for row in box.rows {
      guard let index = row.property, let relationship = box.entity.properties[index].relationship,
        let place = places[owner(of: box.entity.destination(at: index), inverse: box.entity.inverse(at: index))]
      else { continue }
      let other = boxes[place]
      let inverse = box.entity.inverse(at: index)
      // Both ends of a line refer to it; only the first end draws it.
      if let inverse, let mine = places[box.entity], (place, inverse) < (mine, index) { continue }
      let end = inverse.flatMap { number in y(of: number, in: other) } ?? other.y + Self.head / 2
      let back = inverse.flatMap { other.entity.properties[$0].relationship }
      guard let start = y(of: index, in: box) else { continue }
      draw(from: (box, start), to: (other, end), class: "link", in: &svg) { x, y, direction, svg in
        Self.draw(endOf: relationship, x, y, direction, in: &svg)
      } startingWith: { x, y, direction, svg in
        if let back { Self.draw(endOf: back, x, y, direction, in: &svg) }
      }
    }
  }

  /// The entity whose box shows a property: the one that declares it.
  private func owner(of entity: Entity, inverse: Int?) -> Entity {
    guard let inverse else { return entity }
    var entity = entity
    while let parent = entity.parent, inverse < parent.properties.count { entity = parent }
    return entity
  }

  private func y(of property: Int, in box: Box) -> Double? {
    box.rows.firstIndex { $0.property == property }.map { box.y + Self.head + (Double($0) + 0.6) * Self.line }
  }

  private typealias End = (_ x: Double, _ y: Double, _ direction: Double, _ svg: inout SVGWriter) -> Void

  /// Draws a curve between the facing sides of two boxes, or at the right of boxes in the same column.
  private func draw(
    from start: (box: Box, y: Double), to end: (box: Box, y: Double), class name: String, in svg: inout SVGWriter,
    endingWith drawEnd: End, startingWith drawStart: End = { _, _, _, _ in }
  ) {
    let isLeft = start.box.column > end.box.column
    let isAbove = start.box.column == end.box.column
    let x1 = isLeft ? start.box.x : start.box.x + start.box.width
    let x2 = isLeft || isAbove ? end.box.x + end.box.width : end.box.x
    let (out1, out2) = (isLeft ? -1.0 : 1.0, isLeft || isAbove ? 1.0 : -1.0)
    let bend = isAbove ? 24 + min(28, (start.y - end.y).magnitude / 12) : max(40, (x2 - x1).magnitude / 2)
    let points = [x1, start.y, x1 + out1 * bend, start.y, x2 + out2 * bend, end.y, x2, end.y].map(SVGWriter.number)
    svg.raw(
      "<path class=\"\(name)\" d=\"M\(points[0]) \(points[1])C\(points[2]) \(points[3]) \(points[4]) \(points[5])"
        + " \(points[6]) \(points[7])\"/>")
    drawEnd(x2, end.y, out2, &svg)
    drawStart(x1, start.y, out1, &svg)
  }

  private static func draw(
    endOf relationship: Relationship, _ x: Double, _ y: Double, _ direction: Double, in svg: inout SVGWriter
  ) {
    if relationship.isToMany {
      svg.path([(x, y - 5), (x + 10 * direction, y), (x, y + 5)], class: "link")
    } else {
      svg.line(x + 6 * direction, y - 5, x + 6 * direction, y + 5, class: "link")
    }
    if relationship.isOptional { svg.circle(x + 14 * direction, y, 3, class: "end") }
  }
}
