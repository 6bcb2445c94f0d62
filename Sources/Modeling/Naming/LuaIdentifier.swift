extension Naming {
  /// The reserved words of Lua 5.4.
  public static let luaReservedWords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
    "not",
    "or", "repeat", "return", "then", "true", "until", "while",
  ]

  /// Whether the name is a Lua identifier: letters a to z, digits and `_`, no leading digit, not a reserved word.
  public static func isLuaIdentifier(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    let isWord = name.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }
    return isWord && !luaReservedWords.contains(name)
  }
}
