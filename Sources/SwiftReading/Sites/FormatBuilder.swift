/// Puts the text of a format together from pieces, with `%@` or a key for each value that is not known.
struct FormatBuilder {
  private var text = PlacedText()
  private var inserted: [FormatSite.Insertion] = []
  private var arguments: [SiteArgument] = []
  /// A value where a key is wanted, until it is known what follows.
  private var pendingKey: FormatSite.Insertion?
  /// The quotation mark that must follow, where the value stands alone in quotes.
  private var wanted: Character?
  /// Whether the text is one that can be read, in spite of the values.
  private var isReadable = true
  /// Whether a piece of the text is known.
  private(set) var hasText = false

  /// The site; nil where the values are more than values.
  var site: FormatSite? {
    guard hasText else { return nil }
    guard isReadable, wanted == nil else {
      return inserted.isEmpty ? nil : FormatSite(format: PlacedText(), arguments: nil, inserted: inserted)
    }
    return FormatSite(format: text, arguments: arguments, inserted: inserted)
  }

  mutating func append(_ piece: PlacedText) {
    hasText = hasText || piece.text.contains { !$0.isWhitespace }
    settleKey(before: piece.text)
    if let mark = wanted {
      wanted = nil
      guard piece.text.first == mark else { return isReadable = false }
      text.append(piece.part(1..<piece.text.utf8.count))
    } else {
      text.append(piece)
    }
  }

  mutating func append(_ piece: String, standingAt range: Range<Int>) {
    append(PlacedText(piece, standingAt: range))
  }

  /// Adds a value that is not known.
  mutating func insert(_ source: String, at range: Range<Int>, isConstant: Bool) {
    let before = text.text
    let isAfterKey = pendingKey != nil
    pendingKey = nil
    let mark = FormatText.openMark(in: before)
    // What stands at an operator without a space is its options: "name CONTAINS\(options) %@".
    if mark == nil, before.last?.isLetter == true { return isReadable = false }
    let insertion = FormatSite.Insertion(source: source, range: range, isKey: false)
    if mark == nil, !FormatText.wantsValue(before) {
      if !isConstant, !isAfterKey, FormatText.wantsKey(before) {
        pendingKey = FormatSite.Insertion(source: source, range: range, isKey: true)
      }
      return isReadable = false
    }
    // A predicate within a predicate is no value.
    guard !isAfterKey, !source.contains("predicateFormat") else { return isReadable = false }
    if !isConstant { inserted.append(insertion) }
    guard isReadable, wanted == nil, mark == nil || before.last == mark else { return isReadable = false }
    if let mark {
      text = text.part(0..<(before.utf8.count - 1))
      wanted = mark
    }
    text.append("%@", standingAt: range)
    arguments.append(SiteArgument(source: source, range: range, isInserted: true))
  }

  /// Keeps a value that stands where a key is wanted if an operator follows it: else it may be any part of a predicate.
  private mutating func settleKey(before piece: String) {
    guard let key = pendingKey else { return }
    pendingKey = nil
    if piece.first?.isWhitespace == true || "=<>!".contains(piece.first ?? " "), FormatText.beginsWithOperator(piece) {
      inserted.append(key)
    }
  }
}

/// The placeholders of a format with their letters and places.
package struct PlaceholderKinds: Sendable {
  /// One placeholder.
  package struct Placeholder: Sendable {
    /// All of it but the percent sign: `@`, `K`, `ld`.
    package var specification: String
    /// Its place in the text, in bytes.
    package var range: Range<Int>
  }

  package private(set) var all: [Placeholder] = []

  /// Finds the placeholders outside of quotes; nil where they have numbers.
  package init?(_ format: String) {
    let bytes = Array(format.utf8)
    var mark: UInt8?
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      defer { index += 1 }
      if let open = mark {
        if byte == UInt8(ascii: "\\") { index += 1 } else if byte == open { mark = nil }
        continue
      }
      if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        mark = byte
        continue
      }
      guard byte == UInt8(ascii: "%") else { continue }
      var end = index + 1
      while end < bytes.count, bytes[end].isDecimalDigit || ".+-#hlqLzjt".utf8.contains(bytes[end]) { end += 1 }
      if end < bytes.count, bytes[end] == UInt8(ascii: "$") { return nil }
      guard end < bytes.count else { return }
      let specification = String(decoding: bytes[(index + 1)...end], as: UTF8.self)
      all.append(Placeholder(specification: specification, range: index..<end + 1))
      index = end
    }
  }
}
