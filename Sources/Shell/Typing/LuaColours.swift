internal import LuaBindings
internal import Terminal

/// The colours of Lua while it is typed.
enum LuaColours {
  /// The parts of a block that have a colour; those of help queries and of commands have none.
  static func marks(of block: String) -> [(range: Range<Int>, role: Style.Role)] {
    switch ShellInput(block) {
    case .code, .swift: break
    case .empty, .command, .help, .quit: return []
    }
    return LuaToken.tokens(of: block).compactMap { token in
      let role: Style.Role? =
        switch token.kind {
        case .keyword: .keyword
        case .number: .number
        case .string: .string
        case .comment: .note
        case .name, .symbol: nil
        }
      return role.map { (token.range, $0) }
    }
  }
}
