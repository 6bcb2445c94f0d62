internal import LuaBindings

/// A block of several lines as the inputs that would have been typed one after the other.
///
///     quakes> Quake:count()                Quake:count()
///     4000                            ─►   Report:count()
///     quakes> Report:count()
///
///     1 + 1                                1 + 1
///     .tables                         ─►   .tables
///
/// A block that Lua accepts as a whole stays whole, unless each part is an expression, whose value would not be shown.
struct PastedBlock {
  /// Whether a word may be the name in a prompt: it is no variable and no word of Lua.
  let isPromptName: (String) -> Bool
  let isComplete: (String) -> Bool
  let isMistake: (String) -> Bool
  let isExpression: (String) -> Bool
  /// The command that a line begins with.
  let command: (String) -> Command?

  /// The inputs of a block; the block itself if it is one.
  func inputs(of block: String) -> [String] {
    // A type in angle brackets would look like a prompt.
    if SwiftBlock(block) != nil { return [block] }
    let lines = block.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if let first = lines.first(where: { !$0.trimmingSpace.isEmpty }), typed(behindPrompt: first) != nil {
      return transcript(lines)
    }
    guard lines.count > 1 else { return [block] }
    let parts = parts(of: lines)
    guard parts.count > 1 else { return [block] }
    let isWhole = !parts.contains { command($0) != nil } && !isMistake(block)
    return parts.allSatisfy(isWhole ? isExpression : canRun) ? parts : [block]
  }

  // MARK: Prompts

  /// The input at the prompts of a session that was copied from a screen or a page, without the output.
  private func transcript(_ lines: [String]) -> [String] {
    var inputs: [String] = []
    var isOpen = false
    for line in lines {
      if let typed = typed(behindPrompt: line) {
        inputs.append(typed)
      } else if isOpen, let last = inputs.indices.last {
        inputs[last] += "\n" + (Self.typed(behindNumber: line) ?? line)
      } else {
        continue
      }
      isOpen =
        inputs.last.map { if case .code(let text) = ShellInput($0) { !isComplete(text) } else { false } } ?? false
    }
    return inputs.filter { !$0.trimmingSpace.isEmpty }
  }

  /// The text behind a prompt: `quakes:ro*3 Quake us1> `; nil for a line without one.
  private func typed(behindPrompt line: String) -> String? {
    guard let match = line.firstMatch(of: /^ *([\p{L}_][\p{L}\p{N}_.\-]*)(?:[:*][^ >]*)?(?: [^ >]+){0,3}> ?(.*)$/),
      isPromptName(String(match.1))
    else { return nil }
    return String(match.2)
  }

  /// The text behind the number of a line of a block: `     2> `.
  private static func typed(behindNumber line: String) -> String? {
    line.firstMatch(of: /^ *\d+> ?(.*)$/).map { String($0.1) }
  }

  // MARK: Parts

  private func parts(of lines: [String]) -> [String] {
    var parts: [String] = []
    for line in lines {
      if let last = parts.last, !begins(line, behind: last) {
        parts[parts.count - 1] = last + "\n" + line
      } else {
        parts.append(line)
      }
    }
    return parts.filter { !Self.isRemark($0) }
  }

  /// Whether a line begins another input behind a part.
  private func begins(_ line: String, behind part: String) -> Bool {
    let text = line.trimmingSpace
    guard !text.isEmpty else { return false }
    if let before = command(part) {
      // SQL goes on to its semicolon.
      return before.name != "sql" || command(line) != nil || part.trimmingSpace.hasSuffix(";")
    }
    guard isComplete(part) else { return false }
    if command(line) != nil { return true }
    if text.hasPrefix("--") { return true }
    let joined = part + "\n" + line
    return isComplete(joined) && isMistake(joined) || !Self.continues(text)
  }

  /// Whether a line may go on with the expression before it.
  private static func continues(_ line: String) -> Bool {
    let words: Set = ["and", "or", "then", "do", "else", "elseif", "end", "until"]
    return line.first.map { ":.,)]}=+-*/%^&|~<>({[\"'".contains($0) } ?? false
      || words.contains(String(line.prefix { $0.isLetter }))
  }

  private static func isRemark(_ part: String) -> Bool {
    LuaToken.tokens(of: part).allSatisfy { if case .comment = $0.kind { true } else { false } }
  }

  private func canRun(_ part: String) -> Bool {
    switch ShellInput(part) {
    case .code(let text): !isMistake(text)
    case .command: command(part) != nil
    case .help, .quit, .empty, .swift: true
    }
  }
}

extension PastedBlock {
  /// Reads blocks by the names of a session: its store, its commands and what is known to Lua.
  init(storeName: String, _ commands: [Command], _ hints: LuaHints) {
    let engine = hints.engine
    let commands = Dictionary(commands.map { ($0.name, $0) }) { first, _ in first }
    let entities = engine.store?.model.entities ?? []
    self.init(
      isPromptName: { name in
        // `magnitude> 5` is a predicate.
        let isAttribute = entities.contains { entity in
          entity.index(of: name).map { entity.properties[$0].attribute != nil } ?? false
        }
        return !hints.isKnown(name) && !LuaToken.keywords.contains(name) && (name == storeName || !isAttribute)
      },
      isComplete: { engine.isComplete($0) }, isMistake: { engine.isMistake($0) },
      isExpression: { engine.isExpression($0) },
      command: { line in
        line.first == "." ? commands[String(line.dropFirst().prefix { !$0.isWhitespace })] : nil
      })
  }
}
