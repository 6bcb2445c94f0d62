package import LuaBindings
package import Presentation

/// The meaning of an entered block.
package enum ShellInput: Equatable {
  case empty
  /// Lua; a leading `=`, the habit of Lua 5.1, is taken off, for values are shown anyway.
  case code(String)
  /// Swift as it stands in an app: a predicate, a request, a view.
  case swift(SwiftBlock)
  /// A line that begins with a point and a letter.
  case command(String)
  /// `?name`, or `?` alone.
  case help(String)
  case quit

  /// The lines that leave one shell or another; here they all do.
  private static let farewells: Set = [
    "exit", "quit", "exit()", "quit()", "bye", "logout", ":q", ":q!", ":wq", ":quit", "\\q", ".q", ".exit", ".quit",
  ]

  package init(_ block: String) {
    let line = block.trimmingSpace
    let word = line.hasSuffix(";") ? String(line.dropLast()).trimmingSpace : line
    switch line.first {
    case nil: self = .empty
    case _ where Self.farewells.contains(word): self = .quit
    case _ where word == "help" || word == "help()": self = .help("")
    case _ where Self.topic(word) != nil: self = .help(Self.topic(word) ?? "")
    case "." where line.dropFirst().first?.isLetter ?? true:
      // `.onChange(of: query) { ... }` is a modifier of a view.
      self = SwiftBlock(block).map(ShellInput.swift) ?? .command(line)
    case "?": self = .help(String(line.dropFirst()).trimmingSpace)
    case "=": self = .code(String(line.dropFirst()))
    default: self = SwiftBlock(block).map(ShellInput.swift) ?? .code(block)
    }
  }

  /// The subject of `help where`: a name, which Lua would not read behind another one.
  private static func topic(_ line: String) -> String? {
    // The first expression takes a fifteenth of the program's start.
    guard line.hasPrefix("help") else { return nil }
    return line.wholeMatch(of: /help\s+([.?]?[\p{L}_@][\p{L}\p{N}_.:@]*)/).map { String($0.1) }
  }

  /// Whether the input can be taken as it is; `code` judges Lua.
  package func completeness(_ code: (String) -> Completeness) -> Completeness {
    switch self {
    case .code(let text): code(text)
    case .swift(let block): block.isComplete ? .complete : .incomplete
    case .empty, .command, .help, .quit: .complete
    }
  }
}
