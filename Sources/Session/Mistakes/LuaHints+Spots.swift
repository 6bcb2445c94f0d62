internal import LuaBindings
internal import Modeling

// The part of a line that a message is about.
extension LuaHints {
  /// Returns the bytes of the line; nil where the message names nothing in it, or something that it has twice.
  ///
  ///     x = = 2         unexpected symbol near '='
  ///         ^
  ///     a.b.c = 1       attempt to index a nil value (field 'b')
  ///       ^
  func spot(of message: String, isSyntax: Bool, line number: Int, of file: String) -> Range<Int>? {
    guard let text = sources.text(file), let line = sources.line(number, of: file) else { return nil }
    let bytes = Array(line.utf8)
    guard isSyntax else {
      guard let name = Self.name(in: message) else { return nil }
      let tokens = LuaToken.tokens(of: line).filter { $0.kind == .name && $0.text(in: bytes) == name }
      return tokens.count == 1 ? tokens[0].range : nil
    }
    if message.hasSuffix(" near <eof>") {
      let end = bytes.lastIndex { $0 > UInt8(ascii: " ") }.map { $0 + 1 } ?? 0
      return end..<end
    }
    guard let range = engine.spot(ofSyntaxError: message, in: text, line: number) else { return nil }
    // Lua ends lines at carriage returns, too.
    let start = text.utf8.prefix(range.lowerBound).reversed().prefix { $0 != UInt8(ascii: "\n") }.count
    return start + range.count <= bytes.count ? start..<start + range.count : nil
  }

  /// The name in `(global 'x')`, at the end of a message of Lua, and in `Quake has no 'x'; did you mean 'y'?`.
  private static func name(in message: String) -> String? {
    if let complaint = complaint(in: message) { return complaint.name }
    for words in [" has no '", " has no property '"] {
      guard let start = message.firstRange(of: words)?.upperBound else { continue }
      let name = message[start...].prefix { $0 != "'" }
      return String(name)
    }
    return nil
  }
}
