/// A token of Lua source, for completion and for sessions' locals.
///
/// Reading never fails: unknown text becomes a symbol, and an unterminated string or comment extends to the end.
public struct LuaToken: Hashable, Sendable {
  /// The kinds of tokens.
  public enum Kind: Hashable, Sendable {
    case name
    case keyword
    case number
    /// A quoted or long string, including its quotes; `isOpen` if it is unterminated.
    case string(isOpen: Bool)
    /// A comment; `isOpen` if it is unterminated, so that the following text belongs to it.
    case comment(isOpen: Bool)
    case symbol
  }

  /// The token's kind.
  public let kind: Kind
  /// The token's range in UTF-8 bytes.
  public let range: Range<Int>

  /// The reserved words of Lua 5.4.
  public static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
    "not",
    "or", "repeat", "return", "then", "true", "until", "while",
  ]

  /// The tokens of `source`, comments included.
  public static func tokens(of source: String) -> [LuaToken] {
    var lexer = LuaLexer(bytes: Array(source.utf8))
    var tokens: [LuaToken] = []
    while let token = lexer.next() { tokens.append(token) }
    return tokens
  }
}

extension LuaToken {
  /// The token's text within its source.
  func text(in bytes: [UInt8]) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

/// Splits Lua source into tokens.
private struct LuaLexer {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> LuaToken? {
    while position < bytes.count, bytes[position].isLuaSpace { position += 1 }
    guard position < bytes.count else { return nil }
    let start = position
    let kind = read()
    return LuaToken(kind: kind, range: start..<position)
  }

  private func byte(_ offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private mutating func read() -> LuaToken.Kind {
    let first = bytes[position]
    if first.isLuaNameStart { return readName() }
    if first.isLuaDigit || (first == UInt8(ascii: ".") && byte(1)?.isLuaDigit == true) { return readNumber() }
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return .string(isOpen: !readQuoted(first))
    case UInt8(ascii: "["):
      if let level = longBracketLevel() { return .string(isOpen: !readLong(level)) }
    case UInt8(ascii: "-") where byte(1) == UInt8(ascii: "-"):
      return readComment()
    default: break
    }
    readSymbol()
    return .symbol
  }

  private mutating func readName() -> LuaToken.Kind {
    let start = position
    while let next = byte(), next.isLuaNameStart || next.isLuaDigit { position += 1 }
    return Self.isKeyword(bytes[start..<position]) ? .keyword : .name
  }

  /// The keywords by their first letter, as bytes.
  private static let keywords: [[[UInt8]]] = (UInt8(ascii: "a")...UInt8(ascii: "w")).map { letter in
    LuaToken.keywords.filter { $0.utf8.first == letter }.map { Array($0.utf8) }
  }

  private static func isKeyword(_ word: ArraySlice<UInt8>) -> Bool {
    guard let first = word.first, UInt8(ascii: "a")...UInt8(ascii: "w") ~= first else { return false }
    return keywords[Int(first - UInt8(ascii: "a"))].contains { word.elementsEqual($0) }
  }

  private mutating func readNumber() -> LuaToken.Kind {
    var previous: UInt8 = 0
    while let next = byte() {
      let isSign = next == UInt8(ascii: "+") || next == UInt8(ascii: "-")
      let followsExponent = [UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "p"), UInt8(ascii: "P")].contains(
        previous)
      guard next.isLuaNameStart || next.isLuaDigit || next == UInt8(ascii: ".") || (isSign && followsExponent) else {
        break
      }
      previous = next
      position += 1
    }
    return .number
  }

  /// Reads to the closing quote; returns false if the line or the text ends first.
  private mutating func readQuoted(_ quote: UInt8) -> Bool {
    position += 1
    while let next = byte() {
      if next == UInt8(ascii: "\n") { return false }
      position += 1
      if next == quote { return true }
      if next == UInt8(ascii: "\\"), position < bytes.count { position += 1 }
    }
    return false
  }

  /// The number of `=` in the long bracket that opens here; nil if none does.
  private func longBracketLevel() -> Int? {
    var level = 0
    while byte(1 + level) == UInt8(ascii: "=") { level += 1 }
    return byte(1 + level) == UInt8(ascii: "[") ? level : nil
  }

  private mutating func readLong(_ level: Int) -> Bool {
    position += level + 2
    while let next = byte() {
      position += 1
      guard next == UInt8(ascii: "]") else { continue }
      var equals = 0
      while byte(equals) == UInt8(ascii: "=") { equals += 1 }
      if equals == level, byte(equals) == UInt8(ascii: "]") {
        position += level + 1
        return true
      }
    }
    return false
  }

  private mutating func readComment() -> LuaToken.Kind {
    position += 2
    if byte() == UInt8(ascii: "["), let level = longBracketLevel() { return .comment(isOpen: !readLong(level)) }
    while let next = byte(), next != UInt8(ascii: "\n") { position += 1 }
    return .comment(isOpen: byte() == nil)
  }

  private mutating func readSymbol() {
    guard Self.beginsSymbols.contains(bytes[position]) else {
      position += 1
      return
    }
    let rest = bytes[position..<min(position + 3, bytes.count)]
    let longest = Self.symbols.first { rest.starts(with: $0.utf8) }
    position += longest?.utf8.count ?? 1
  }

  /// The bytes that symbols of several begin with.
  private static let beginsSymbols = Array(".=~<>/:".utf8)

  /// Symbols of several bytes, longest first.
  private static let symbols = ["...", "..", "==", "~=", "<=", ">=", "<<", ">>", "//", "::"]
}

extension UInt8 {
  fileprivate var isLuaSpace: Bool { self == 32 || (9...13).contains(self) }
  fileprivate var isLuaDigit: Bool { (48...57).contains(self) }
  fileprivate var isLuaNameStart: Bool { (65...90).contains(self) || (97...122).contains(self) || self == 95 }
}
