internal import LuaBindings
internal import Terminal

/// The meaning of an entered block.
enum ShellInput: Equatable {
  case empty
  /// Lua; a leading `=`, the habit of Lua 5.1, is taken off, for values are shown anyway.
  case code(String)
  /// A predicate or request as it stands in an app.
  case swift(SwiftBlock)
  /// A line that begins with a point and a letter.
  case command(String)
  /// `?name`, or `?` alone.
  case help(String)
  case quit

  init(_ block: String) {
    let line = block.trimmed
    switch line.first {
    case nil: self = .empty
    case "." where line.dropFirst().first?.isLetter ?? true:
      self = line == ".q" || line == ".exit" ? .quit : .command(line)
    case "?": self = .help(String(line.dropFirst()).trimmed)
    case "=": self = .code(String(line.dropFirst()))
    default:
      if let swift = SwiftBlock(block) {
        self = .swift(swift)
      } else {
        self = ["exit", "quit", ":q", "\\q"].contains(line) ? .quit : .code(block)
      }
    }
  }

  /// Whether the input can be taken as it is; `code` judges Lua.
  func completeness(_ code: (String) -> Completeness) -> Completeness {
    switch self {
    case .code(let text): code(text)
    case .swift(let block): block.isComplete ? .complete : .incomplete
    case .empty, .command, .help, .quit: .complete
    }
  }
}

extension String {
  /// This text without white space at its ends.
  fileprivate var trimmed: String {
    var end = endIndex
    while end > startIndex, self[index(before: end)].isWhitespace { end = index(before: end) }
    let start = self[..<end].firstIndex { !$0.isWhitespace } ?? end
    return String(self[start..<end])
  }
}
