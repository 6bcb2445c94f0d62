internal import Terminal

/// The arguments of a command that is being typed, up to the cursor.
struct CommandArguments {
  private let line: String
  private let cursor: Int
  /// The finished words before the one that is being typed.
  private var words: [String] = []
  /// The word that is being typed, without its quote.
  private var word = ""
  /// The byte at which it begins, with its quote.
  private var start: Int
  private var quote: Character?

  /// Reads the words behind the name of the command.
  init(_ line: String, cursor: Int, from space: String.Index) {
    self.line = line
    self.cursor = cursor
    let typed = line.split(atByte: cursor).before[space...]
    start = cursor
    var offset = line.utf8.distance(from: line.startIndex, to: space)
    var isInWord = false
    for character in typed {
      if let open = quote {
        if character == open { quote = nil } else { word.append(character) }
      } else if character.isWhitespace {
        if isInWord { words.append(word) }
        (word, isInWord) = ("", false)
      } else {
        if !isInWord { start = offset }
        isInWord = true
        if character == "\"" || character == "'" { quote = character } else { word.append(character) }
      }
      offset += String(character).utf8.count
    }
    if !isInWord { start = cursor }
  }

  /// What the argument at the cursor can be.
  func completions(of command: Command, in registry: CommandRegistry) -> Completions {
    if word.hasPrefix("-"), quote == nil {
      return Completions(
        start: start, candidates: fitting(command.flags.map { Completions.Candidate($0) }), appendCharacter: " ")
    }
    let arguments = words.filter { !command.flags.contains($0) }
    guard
      let parameter = command.parameters.indices.contains(arguments.count)
        ? command.parameters[arguments.count] : command.parameters.last
    else { return Completions(start: cursor) }
    switch parameter {
    case .words(let candidates): return Completions(start: start, candidates: fitting(candidates()))
    case .command:
      let names = registry.commands.map { Completions.Candidate($0.name, $0.summary) }
      return Completions(start: start, candidates: fitting(names))
    case .file: return file
    case .rest(let completions): return rest(completions, behind: command.parameters.count - 1, arguments)
    }
  }

  private func fitting(_ candidates: [Completions.Candidate]) -> [Completions.Candidate] {
    candidates.filter { $0.text.hasPrefix(word) }
  }

  /// The text behind the words of the earlier parameters, as it was typed.
  private func rest(
    _ completions: (String, Int, [String]) -> Completions, behind count: Int, _ arguments: [String]
  ) -> Completions {
    var start =
      line.utf8.firstIndex(of: UInt8(ascii: " ")).map { line.utf8.distance(from: line.startIndex, to: $0) } ?? 0
    let bytes = Array(line.utf8)
    let skipped = count + words.count - arguments.count
    for _ in 0..<skipped {
      while start < cursor, bytes[start] == UInt8(ascii: " ") { start += 1 }
      while start < cursor, bytes[start] != UInt8(ascii: " ") { start += 1 }
    }
    while start < cursor, bytes[start] == UInt8(ascii: " ") { start += 1 }
    let text = String(decoding: bytes[start...], as: UTF8.self)
    var found = completions(text, cursor - start, Array(arguments.prefix(count)))
    found.start += start
    return found
  }

  /// Files, in quotes where a name needs them.
  private var file: Completions {
    let found = FileCompleter().completions(word)
    let (folder, _) = word.split(atByte: found.start)
    let needsQuotes =
      quote != nil || (folder + found.candidates.map(\.text).joined()).contains { $0 == " " || $0 == "'" || $0 == "\"" }
    guard needsQuotes else {
      var placed = found
      placed.start = start + found.start
      return placed
    }
    let mark = quote ?? (found.candidates.contains { $0.text.contains("\"") } ? "'" : "\"")
    let names = found.candidates.map { candidate in
      // A folder's name goes on.
      Completions.Candidate(
        String(mark) + folder + candidate.text + (candidate.text.hasSuffix("/") ? "" : String(mark)))
    }
    return Completions(start: start, candidates: names)
  }
}

extension String {
  /// The text before and behind a byte, which is moved to the end if it lies behind it.
  func split(atByte offset: Int) -> (before: String, behind: String) {
    let bytes = Array(utf8)
    let place = min(max(offset, 0), bytes.count)
    return (String(decoding: bytes[..<place], as: UTF8.self), String(decoding: bytes[place...], as: UTF8.self))
  }
}
