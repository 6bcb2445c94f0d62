internal import Modeling
internal import SwiftParsing

/// Lays Swift source out in lines of at most so many characters, where that is possible.
struct SwiftLayout {
  var width = 100
  /// Names that parameters of closures must not hide.
  var taken: Set<String> = []
  private var names: [Int: String] = [:]

  init(taken: Set<String> = []) { self.taken = taken }

  /// The source on one line.
  func flat(_ code: SwiftCode) -> String {
    switch code {
    case .text(let text): return text
    case .parameter(let number): return names[number] ?? "$0"
    case .sequence(let parts): return parts.map(flat).joined()
    case .chain(let symbol, let terms): return terms.map(flat).joined(separator: " \(symbol) ")
    case .parenthesized(let inner): return "(\(flat(inner)))"
    case .list(let elements): return "[" + elements.map(flat).joined(separator: ", ") + "]"
    case .closure(let closure):
      let (head, inside) = entering(closure, isNamed: false)
      return "{ \(head.map { $0 + " in " } ?? "")\(inside.flat(closure.body)) }"
    case .call(let head, let arguments): return head + "(" + arguments.map(flat).joined(separator: ", ") + ")"
    }
  }

  /// The source from `column` on, its further lines indented by `indent` or more.
  func lines(_ code: SwiftCode, column: Int, indent: Int) -> String {
    let flat = flat(code)
    if column + flat.count <= width { return flat }
    let inner = indent + 4
    switch code {
    case .text, .parameter: return flat
    case .sequence(let parts): return lines(parts, column: column, indent: indent)
    case .chain(let symbol, let terms):
      return terms.enumerated().map { position, term in
        position == 0
          ? lines(term, column: column, indent: indent)
          : Self.line(inner) + "\(symbol) "
            + lines(term, column: inner + symbol.count + 1, indent: inner)
      }.joined()
    case .parenthesized(let body):
      return "(" + lines(body, column: column + 1, indent: indent) + ")"
    case .list(let elements): return filled(elements.map(self.flat), indent: indent)
    case .closure(let closure):
      let (head, inside) = entering(closure, isNamed: true)
      return "{\(head.map { " \($0) in" } ?? "")" + Self.line(inner)
        + inside.lines(closure.body, column: inner, indent: inner) + Self.line(indent) + "}"
    case .call(let head, let arguments):
      let lines = arguments.map { Self.line(inner) + self.lines($0, column: inner, indent: inner) }
      return head + "(" + lines.joined(separator: ",") + Self.line(indent) + ")"
    }
  }

  /// Breaks the widest of the parts that can be broken.
  private func lines(_ parts: [SwiftCode], column: Int, indent: Int) -> String {
    let widths = parts.map { part -> Int in
      switch part {
      case .text, .parameter: 0
      default: flat(part).count
      }
    }
    let widest = widths.indices.max { widths[$0] < widths[$1] }
    var result = ""
    for (position, part) in parts.enumerated() {
      let line = result.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
      let column = result.contains("\n") ? line.count : column + line.count
      result += position == widest ? lines(part, column: column, indent: indent) : flat(part)
    }
    return result
  }

  /// A list with as many elements on a line as there is room for.
  private func filled(_ elements: [String], indent: Int) -> String {
    var result = "["
    var column = width
    for (position, element) in elements.enumerated() {
      let text = position == elements.count - 1 ? element : element + ","
      if column + text.count + 1 > width {
        result += Self.line(indent + 4) + text
        column = indent + 4 + text.count
      } else {
        result += " " + text
        column += text.count + 1
      }
    }
    return result + Self.line(indent) + "]"
  }

  /// The text before `in`, and the layout of the body.
  private func entering(_ closure: SwiftClosure, isNamed: Bool) -> (head: String?, inside: SwiftLayout) {
    let mentions = closure.body.mentions(of: closure.parameter)
    guard mentions.direct || mentions.inner else { return ("_", self) }
    var inside = self
    guard mentions.inner || isNamed else {
      inside.names[closure.parameter] = "$0"
      return (nil, inside)
    }
    let name = Naming.unique(closure.name, among: taken.union(names.values))
    inside.names[closure.parameter] = SwiftNames.identifier(name)
    return (inside.names[closure.parameter], inside)
  }

  private static func line(_ indent: Int) -> String { "\n" + String(repeating: " ", count: indent) }
}
