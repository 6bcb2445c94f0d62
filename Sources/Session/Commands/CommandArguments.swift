internal import Presentation

/// The arguments of a command that is being typed, up to the cursor.
struct CommandArguments {
  private let line: String
  private let cursor: Int
  /// The finished words before the one that is being typed.
  private let words: ArraySlice<CommandWords.Word>
  /// The word that is being typed, without its quote.
  private let word: String
  /// The byte at which it begins, with its quote.
  private let start: Int
  private let quote: Character?

  /// Reads the words behind the name of the command.
  init(_ line: String, cursor: Int, from space: String.Index) {
    let typed = line.split(atByte: cursor).before
    let read = CommandWords(typed[space...])
    self.line = line
    self.cursor = typed.utf8.count
    quote = read.openQuote.map(Character.init)
    let isTyping = read.words.last?.range.upperBound == typed.endIndex
    words = isTyping ? read.words.dropLast() : read.words[...]
    word = isTyping ? read.words.last?.text ?? "" : ""
    let begin = isTyping ? read.words.last?.range.lowerBound : nil
    start = typed.utf8.distance(from: typed.startIndex, to: begin ?? typed.endIndex)
  }

  /// What the argument at the cursor can be.
  func completions(of command: Command, _ commands: [Command]) -> Completions {
    if word.hasPrefix("-"), quote == nil {
      return Completions(
        start: start, candidates: fitting(command.flags.map { Completions.Candidate($0) }), appendCharacter: " ")
    }
    let arguments = words.map(\.text).filter { !command.flags.contains($0) }
    guard
      let parameter = command.parameters.indices.contains(arguments.count)
        ? command.parameters[arguments.count] : command.parameters.last
    else { return Completions(start: cursor) }
    switch parameter {
    case .words(let candidates): return Completions(start: start, candidates: fitting(candidates()))
    case .command:
      let names = commands.map { Completions.Candidate($0.name, $0.summary) }
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
    let earlier = words.prefix(count + words.count - arguments.count)
    let name = line.prefix { !$0.isWhitespace }.endIndex
    let text = line[(earlier.last?.range.upperBound ?? name)...].drop(while: \.isWhitespace)
    let start = min(line.utf8.distance(from: line.startIndex, to: text.startIndex), cursor)
    var found = completions(line.split(atByte: start).behind, cursor - start, Array(arguments.prefix(count)))
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
      // The name of a folder continues.
      Completions.Candidate(
        String(mark) + folder + candidate.text + (candidate.text.hasSuffix("/") ? "" : String(mark)))
    }
    return Completions(start: start, candidates: names)
  }
}

extension String {
  /// The text before and behind a byte, which is moved to the end if it lies behind it.
  package func split(atByte offset: Int) -> (before: String, behind: String) {
    let bytes = Array(utf8)
    let place = min(max(offset, 0), bytes.count)
    return (String(decoding: bytes[..<place], as: UTF8.self), String(decoding: bytes[place...], as: UTF8.self))
  }
}
