internal import LuaBindings

/// The predicates that were entered before, to go back to.
package struct EarlierPredicates {
  private let texts: [String]
  /// Which of them is in the line; their number when it is none.
  private var position: Int
  /// The text of the line before an earlier predicate was recalled.
  private var draft = ""

  /// Finds them among the lines of a history: what `Quake:where` was given as one string, and `.predicate Quake` as text.
  package init(_ lines: [String], entity: String, literal: (String) -> String?) {
    var texts: [String] = []
    for line in lines {
      guard let text = Self.predicate(in: line, entity, literal), !text.isEmpty, texts.last != text else { continue }
      texts.append(text)
    }
    self.texts = texts
    position = texts.count
  }

  /// The one before; nil at the oldest.
  mutating func older(than current: String) -> String? {
    guard position > 0 else { return nil }
    if position == texts.count { draft = current }
    position -= 1
    return texts[position]
  }

  /// The one after, at last what was in the line at first; nil if that is there.
  mutating func newer() -> String? {
    guard position < texts.count else { return nil }
    position += 1
    return position < texts.count ? texts[position] : draft
  }

  private static func predicate(in line: String, _ entity: String, _ literal: (String) -> String?) -> String? {
    if line.hasPrefix(".predicate \(entity) ") {
      let text = String(line.dropFirst(entity.count + 12).drop(while: \.isWhitespace))
      return text.first == "{" ? nil : text
    }
    guard line.hasPrefix("\(entity):where") else { return nil }
    let rest = String(line.dropFirst(entity.count + 6))
    let bytes = Array(rest.utf8)
    var tokens = LuaToken.tokens(of: rest)[...]
    if let first = tokens.first, let last = tokens.last, bytes[first.range] == [UInt8(ascii: "(")],
      bytes[last.range] == [UInt8(ascii: ")")]
    {
      tokens = tokens.dropFirst().dropLast()
    }
    guard tokens.count == 1, let token = tokens.first, token.kind == .string(isOpen: false) else { return nil }
    return literal(String(decoding: bytes[token.range], as: UTF8.self))
  }
}
