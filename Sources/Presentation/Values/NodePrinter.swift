internal import Modeling

/// Prints values as Lua would write them: short tables on one line, long ones a line per entry.
///
///     { 1, 2, name = "fat", tags = { "a", "b" } }
///
/// Tables deeper than `depth` are `{…}`, entries after the first `entries` are counted, and a table that contains itself is
/// marked `<1>` where it begins and `<cycle 1>` where it comes again.
package struct NodePrinter {
  package var style = Style(enabled: false)
  package var charset = Charset.utf8
  package var width = 80
  package var depth = 3
  package var entries = 20
  /// The longest string shown whole, by itself and inside a table.
  var stringLimit = (alone: 10_000, inside: 200)

  package init(
    style: Style = Style(enabled: false),
    charset: Charset = .utf8,
    width: Int = 80,
    depth: Int = 3,
    entries: Int = 20
  ) {
    self.style = style
    self.charset = charset
    self.width = width
    self.depth = depth
    self.entries = entries
  }

  /// The text of a value, in as many lines as it takes, without a newline at the end.
  package func text(_ node: DisplayNode) -> String {
    let limits = Limits(level: 0, indent: 0)
    return (line(node, limits, room: width) ?? block(node, limits)).text
  }

  private struct Limits {
    var level: Int
    var indent: Int

    var inside: Limits { Limits(level: level + 1, indent: indent + 2) }
  }

  /// Styled text and the columns it takes.
  private struct Piece {
    var text = ""
    var width = 0

    static func + (left: Piece, right: Piece) -> Piece {
      Piece(text: left.text + right.text, width: left.width + right.width)
    }
  }

  private func piece(_ text: String, _ role: Style.Role? = nil) -> Piece {
    let shown = DisplayText(text, in: .max, charset)
    return Piece(text: style(role, shown.text), width: shown.width)
  }

  /// The value on one line, or nil if it does not fit in `room`.
  private func line(_ node: DisplayNode, _ limits: Limits, room: Int) -> Piece? {
    guard case .table(let table) = node, !isTooDeep(table, limits) else {
      let leaf = leaf(node, limits)
      return leaf.width <= room || limits.level == 0 ? leaf : nil
    }
    var result = opening(table)
    var separator = piece(" ")
    for entry in shownEntries(table) {
      let key = entry.key.map(key) ?? Piece()
      guard let value = line(entry.value, limits.inside, room: room - result.width - key.width) else { return nil }
      result = result + separator + key + value
      separator = piece(", ")
      if result.width > room { return nil }
    }
    if let rest = omitted(table) { result = result + separator + rest }
    result = result + piece(isEmpty(table) ? "}" : " }")
    return result.width <= room ? result : nil
  }

  /// The value with a line for each entry.
  private func block(_ node: DisplayNode, _ limits: Limits) -> Piece {
    guard case .table(let table) = node, !isTooDeep(table, limits) else { return leaf(node, limits) }
    let indent = String(repeating: " ", count: limits.inside.indent)
    var lines = [opening(table).text]
    for entry in shownEntries(table) {
      let key = entry.key.map(key) ?? Piece()
      let room = width - limits.inside.indent - key.width - 1
      let value = line(entry.value, limits.inside, room: room) ?? block(entry.value, limits.inside)
      lines.append(indent + key.text + value.text + ",")
    }
    if let rest = omitted(table) { lines.append(indent + rest.text) }
    lines.append(String(repeating: " ", count: limits.indent) + "}")
    return Piece(text: lines.joined(separator: "\n"))
  }

  private func leaf(_ node: DisplayNode, _ limits: Limits) -> Piece {
    switch node {
    case .missing: return piece("nil", .missing)
    case .number(let digits): return piece(digits, .number)
    case .boolean(let value): return piece(value ? "true" : "false", .keyword)
    case .plain(let text), .source(let text): return piece(text)
    case .cycle(let number): return piece("<cycle \(number)>", .note)
    case .table: return piece("{" + charset.ellipsis + "}", .note)
    case .bytes(let bytes):
      let limit = limits.level == 0 ? stringLimit.alone : stringLimit.inside
      return piece(QuotedString.literal(bytes, limit: limit, charset), .string)
    }
  }

  private func key(_ node: DisplayNode) -> Piece {
    if case .bytes(let bytes) = node, QuotedString.isName(bytes) {
      return piece(String(decoding: bytes, as: UTF8.self), .name) + piece(" = ")
    }
    return piece("[") + leaf(node, Limits(level: depth, indent: 0)) + piece("] = ")
  }

  private func opening(_ table: DisplayTable) -> Piece {
    let number = table.number.map { piece("<\($0)> ", .note) } ?? Piece()
    let label = table.label.map { piece("\($0) ") } ?? Piece()
    return number + label + piece("{")
  }

  private func shownEntries(_ table: DisplayTable) -> [(key: DisplayNode?, value: DisplayNode)] {
    let items = table.items.prefix(entries).map { (key: DisplayNode?.none, value: $0) }
    let fields = table.fields.prefix(entries - items.count).map { (key: DisplayNode?.some($0.key), value: $0.value) }
    return items + fields
  }

  private func omitted(_ table: DisplayTable) -> Piece? {
    let count = table.items.count + table.fields.count + table.omittedCount - shownEntries(table).count
    return count > 0 ? piece("\(charset.ellipsis) \(Quantity.grouped(count)) more", .note) : nil
  }

  private func isEmpty(_ table: DisplayTable) -> Bool {
    table.items.isEmpty && table.fields.isEmpty && table.omittedCount == 0
  }

  private func isTooDeep(_ table: DisplayTable, _ limits: Limits) -> Bool {
    limits.level >= depth && !isEmpty(table)
  }
}
