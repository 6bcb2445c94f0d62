import Testing

/// Errors are facts below LuaBindings; sentences are made of them in LuaBindings alone.
struct ErrorFactTests {
  @Test func aSentenceIsMoreThanWhatTheFactSays() throws {
    let sentences = try SourceFile.texts(of: "LuaBindings").filter { $0.name.hasPrefix("ErrorSentences") }
    #expect(sentences.count > 10)
    // `case .unsupported(let text): text`, or the same within a report.
    let prose = /case \.(\w+)\(let (\w+)\):\s*(?:return\s+)?(?:ErrorReport\("\w+", )?(\w+)\)?\n/
    for (name, text) in sentences {
      for match in text.matches(of: prose) where match.2 == match.3 {
        // What is wrong with arguments is worded where the function is bound.
        if name == "ErrorSentences+Calls.swift", match.1 == "other" { continue }
        Issue.record("\(name): the case \(match.1) holds its sentence; make it a fact with names and values")
      }
    }
  }

  @Test(arguments: [
    "Modeling", "Queries", "SwiftParsing", "SwiftReading", "SwiftPrinting", "Refusals", "AppleModels", "Stores",
    "RelationalStorage", "SQLiteStorage",
    "ObjectGraph", "Reactive", "LiveQueries",
  ])
  func onlyBindingsWordMistakes(_ target: String) throws {
    let sentence = /throw \w+Error\(\s*\.(?:other|unsupported|invalid\w*)\("/
    for (name, text) in try SourceFile.texts(of: target) {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() where line.contains("throw ") {
        let statement = lines[number...].prefix(2).joined(separator: "\n")
        #expect(!statement.contains(sentence), "\(name):\(number + 1) puts a sentence into a fact: \(line)")
      }
    }
  }

  @Test(arguments: ["ObjectGraph", "LiveQueries", "PeriluneKit"]) func whatIsPublicSaysWhatItThrows(_ target: String)
    throws
  {
    let files = try SourceFile.texts(of: target)
    #expect(!files.isEmpty)
    var count = 0
    for (name, text) in files {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() where Self.isPublicFunction(line) {
        guard Self.throwsAnything(lines[number...].prefix(8).joined(separator: " ")) else { continue }
        count += 1
        let comment = lines[..<number].reversed().prefix { $0.contains("///") || $0.contains("  @") }
        #expect(
          comment.contains { $0.contains("- Throws:") }, "\(name):\(number + 1) does not say what it throws: \(line)")
      }
    }
    #expect(count > 3)
  }

  private static func isPublicFunction(_ line: Substring) -> Bool {
    let line = line.drop { $0 == " " }
    return line.hasPrefix("public ") && (line.contains(" func ") || line.contains(" init("))
  }

  /// Whether a function throws what it names no type of; `throws` of its parameters does not count.
  private static func throwsAnything(_ text: String) -> Bool {
    var (depth, effects) = (0, "")
    for character in text.drop(while: { $0 != "(" }) {
      switch character {
      case "(":
        // A type follows, which says what is thrown.
        if depth == 0, effects.hasSuffix("throws") { return false }
        depth += 1
      case ")": depth -= 1
      case "{" where depth == 0, ">" where depth == 0: return effects.split(separator: " ").contains("throws")
      default: if depth == 0 { effects.append(character) }
      }
    }
    return false
  }
}
