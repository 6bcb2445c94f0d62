internal import Modeling

/// Elements of an SVG document as text: the same elements give the same bytes.
package struct SVGWriter {
  package private(set) var lines: [String] = []

  package init() {}

  /// Adds a rectangle, with a text that is shown under the pointer.
  package mutating func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, class name: String, opacity: Double? = nil,
    tip: String? = nil
  ) {
    let start =
      "<rect class=\"\(name)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
      + " width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
      + (opacity.map { " fill-opacity=\"\(Self.number($0))\"" } ?? "")
    add(start, tip)
  }

  /// Adds a straight line.
  package mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, class name: String) {
    lines.append(
      "<line class=\"\(name)\" x1=\"\(Self.number(x1))\" y1=\"\(Self.number(y1))\""
        + " x2=\"\(Self.number(x2))\" y2=\"\(Self.number(y2))\"/>")
  }

  /// Adds a dot.
  package mutating func circle(_ x: Double, _ y: Double, _ radius: Double, class name: String, tip: String? = nil) {
    add(
      "<circle class=\"\(name)\" cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"\(Self.number(radius))\"", tip)
  }

  /// Adds a line from point to point.
  package mutating func path(_ points: [(Double, Double)], class name: String, isClosed: Bool = false) {
    guard !points.isEmpty else { return }
    let places = points.map { "\(Self.number($0.0)) \(Self.number($0.1))" }
    // A line to itself is a dot where there is one point alone.
    let rest = places.count == 1 ? places : Array(places.dropFirst())
    let end = isClosed ? "Z" : ""
    lines.append("<path class=\"\(name)\" d=\"M\(places[0])L\(rest.joined(separator: " "))\(end)\"/>")
  }

  /// Where a text is in relation to its place.
  package enum Anchor: String {
    case start, middle, end
  }

  /// Adds a text.
  package mutating func text(_ text: String, _ x: Double, _ y: Double, class name: String, _ anchor: Anchor = .start) {
    let place = anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\""
    lines.append(
      "<text class=\"\(name)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\"\(place)>\(Self.escaped(text))</text>")
  }

  /// Adds a line of the document as it is.
  package mutating func raw(_ line: String) { lines.append(line) }

  private mutating func add(_ start: String, _ tip: String?) {
    lines.append(
      start + (tip.map { "><title>\(Self.escaped($0))</title></\(start.dropFirst().prefix { $0 != " " })>" } ?? "/>"))
  }

  /// A length with two digits after the point at most.
  package static func number(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    var text = Quantity.decimal(value, places: 2)
    while text.contains("."), text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text == "-0" ? "0" : text
  }

  /// A text in XML, whose control characters, which XML cannot hold, are shown as such.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where scalar.actsOnTerminals || scalar.value & 0xFFFE == 0xFFFE:
        result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// About how wide a text is in the sans-serif of the document.
  static func width(_ text: String) -> Double {
    text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 6.6 : 12) }
  }

  /// The beginning of a text that fits.
  static func fit(_ text: String, _ width: Double) -> String {
    guard Self.width(text) > width else { return text }
    var (result, used) = ("", 12.0)
    for character in text {
      used += Self.width(String(character))
      if used > width { break }
      result.append(character)
    }
    return result + "…"
  }
}
