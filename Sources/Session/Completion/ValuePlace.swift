/// The place of a constant that is being typed, with the key path that it is compared with.
///
///     ValuePlace(before: "depth > 5 AND place BEGINSWITH[c] \"Chi")     // place, "Chi, from byte 32
struct ValuePlace: Equatable {
  /// The key path, as written.
  var path: String
  /// The open quote; nil if a number or the quote itself is expected.
  var quote: Character?
  /// The typed part of the value.
  var prefix: String
  /// The UTF-8 offset of the value, after its quote.
  var start: Int

  /// Finds the constant at the end of `text`; nil if none is expected there.
  init?(before text: String) {
    var head: Substring
    if let open = Self.openingQuote(text) {
      quote = text[open]
      head = text[..<open]
      let behind = text[text.index(after: open)...]
      prefix = Self.unescaped(behind)
      start = text.utf8.count - behind.utf8.count
    } else {
      let word = text.reversed().prefix { $0.isNumber || "+-.".contains($0) }.count
      prefix = String(text.suffix(word))
      head = text.dropLast(word)
      start = head.utf8.count
    }
    guard let found = Self.path(endingBefore: head) else { return nil }
    path = found
  }

  /// The position of the unclosed quote.
  static func openingQuote(_ text: String) -> String.Index? {
    var open: String.Index?
    var isEscaped = false
    for index in text.indices {
      let character = text[index]
      if let begin = open {
        if isEscaped {
          isEscaped = false
        } else if character == "\\" {
          isEscaped = true
        } else if character == text[begin] {
          open = nil
        }
      } else if character == "\"" || character == "'" {
        open = index
      }
    }
    return open
  }

  private static func unescaped(_ text: Substring) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      if !isEscaped, character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
        isEscaped = false
      }
    }
    return result
  }

  /// The key path before the operator, or before the open list, at the end of `head`.
  private static func path(endingBefore head: Substring) -> String? {
    var head = head
    if let open = head.lastIndex(of: "{"), !head[open...].contains("}") { head = head[..<open] }
    head = trimmed(head)
    if head.last == "]", let open = head.lastIndex(of: "[") { head = trimmed(head[..<open]) }
    let signs = head.suffix(while: { "=<>!".contains($0) })
    let word = head.suffix(while: \.isLetter)
    if operators.contains(String(signs)) {
      head = head.dropLast(signs.count)
    } else if operators.contains(word.uppercased()), head.dropLast(word.count).last?.isWhitespace == true {
      head = head.dropLast(word.count)
    } else {
      return nil
    }
    let path = trimmed(head).suffix(while: { $0.isLetter || $0.isNumber || "_.#".contains($0) })
    guard let first = path.first, first.isLetter || first == "_" || first == "#" else { return nil }
    return String(path)
  }

  private static let operators: Set<String> = [
    "==", "=", "!=", "<>", "<=", ">=", "=<", "=>", "<", ">", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES",
    "IN", "BETWEEN",
  ]

  private static func trimmed(_ text: Substring) -> Substring {
    text.dropLast(text.suffix(while: \.isWhitespace).count)
  }
}

extension Substring {
  /// Returns the longest suffix that consists of such characters.
  fileprivate func suffix(while isPart: (Character) -> Bool) -> Substring {
    var start = endIndex
    while start > startIndex, isPart(self[index(before: start)]) { start = index(before: start) }
    return self[start...]
  }
}
