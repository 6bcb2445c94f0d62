/// The text of a string in a script, with the positions of its bytes.
struct LiteralText {
  let text: String
  /// The start of the text in the script; nil if escapes shift its positions.
  private let start: Int?
  private let whole: Range<Int>

  /// The text of a string token; nil for strings with escapes that are not handled here.
  init?(_ token: LuaToken, in bytes: [UInt8]) {
    whole = token.range
    let literal = Array(bytes[token.range])
    guard let first = literal.first else { return nil }
    if first == UInt8(ascii: "[") {
      let level = literal.dropFirst().prefix { $0 == UInt8(ascii: "=") }.count
      var head = level + 2
      guard literal.count >= 2 * (level + 2) else { return nil }
      if literal[head] == UInt8(ascii: "\r") { head += 1 }
      if literal[head] == UInt8(ascii: "\n") { head += 1 }
      guard head <= literal.count - level - 2 else { return nil }
      text = String(decoding: literal[head..<literal.count - level - 2], as: UTF8.self)
      start = token.range.lowerBound + head
      return
    }
    guard literal.count >= 2 else { return nil }
    let content = literal[1..<literal.count - 1]
    guard content.contains(UInt8(ascii: "\\")) else {
      text = String(decoding: content, as: UTF8.self)
      start = token.range.lowerBound + 1
      return
    }
    start = nil
    var unescaped: [UInt8] = []
    var isEscaped = false
    for byte in content {
      if isEscaped {
        // Predicates need escaped quotes and backslashes; other escapes would have to be computed.
        guard [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\")].contains(byte) else { return nil }
        unescaped.append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        unescaped.append(byte)
      }
    }
    text = String(decoding: unescaped, as: UTF8.self)
  }

  /// The range of a part of the text in the script; that of the whole string if it is unknown.
  func range(of part: Range<Int>?) -> Range<Int> {
    guard let start, let part else { return whole }
    return start + part.lowerBound..<start + part.upperBound
  }
}
