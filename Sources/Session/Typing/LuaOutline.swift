package import LuaBindings

/// A block of Lua cut into tokens, comments left out, with the brackets that belong together.
package struct LuaOutline {
  package let bytes: [UInt8]
  package let tokens: [LuaToken]
  /// The comments.
  package let comments: [LuaToken]
  /// The other bracket of each bracket that has one.
  private(set) var partners: [Int: Int] = [:]
  /// The innermost bracket that is open at each token.
  private(set) var openers: [Int?] = []

  private static let closers: [UInt8: UInt8] = [
    UInt8(ascii: ")"): UInt8(ascii: "("), UInt8(ascii: "]"): UInt8(ascii: "["), UInt8(ascii: "}"): UInt8(ascii: "{"),
  ]

  package init(_ block: String) {
    bytes = Array(block.utf8)
    var tokens: [LuaToken] = []
    var comments: [LuaToken] = []
    for token in LuaToken.tokens(of: block) {
      if case .comment = token.kind { comments.append(token) } else { tokens.append(token) }
    }
    (self.tokens, self.comments) = (tokens, comments)
    openers.reserveCapacity(tokens.count)
    var open: [Int] = []
    for index in tokens.indices {
      let sign = sign(index)
      if let opening = Self.closers[sign], let last = open.last, self.sign(last) == opening {
        open.removeLast()
        (partners[last], partners[index]) = (index, last)
      }
      openers.append(open.last)
      if Self.closers.values.contains(sign) { open.append(index) }
    }
  }

  /// The text of a token; empty if there is none.
  package func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text(in: bytes) : "" }

  /// The only byte of a symbol; 0 for anything else.
  func sign(_ index: Int) -> UInt8 {
    guard tokens.indices.contains(index), tokens[index].kind == .symbol, tokens[index].range.count == 1 else {
      return 0
    }
    return bytes[tokens[index].range.lowerBound]
  }

  /// Whether a token is that one character.
  package func isSign(_ index: Int, _ character: Unicode.Scalar) -> Bool { sign(index) == UInt8(ascii: character) }

  func isName(_ index: Int) -> Bool { tokens.indices.contains(index) && tokens[index].kind == .name }

  /// Whether a token is that word of Lua.
  func isKeyword(_ index: Int, _ word: StaticString) -> Bool {
    guard tokens.indices.contains(index), tokens[index].kind == .keyword else { return false }
    return bytes[tokens[index].range].elementsEqual(
      UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  /// Whether a token is the first of its line.
  func beginsLine(_ index: Int) -> Bool {
    guard index > 0 else { return true }
    return bytes[tokens[index - 1].range.upperBound..<tokens[index].range.lowerBound].contains(UInt8(ascii: "\n"))
  }

  /// The bracket at the cursor or right before it, and the one that it belongs to, by their places in the block.
  package func brackets(at point: Int) -> (near: Range<Int>, far: Range<Int>)? {
    let near =
      partners.keys.first { tokens[$0].range.lowerBound == point }
      ?? partners.keys.first { tokens[$0].range.upperBound == point }
    guard let near, let far = partners[near] else { return nil }
    return (tokens[near].range, tokens[far].range)
  }
}
