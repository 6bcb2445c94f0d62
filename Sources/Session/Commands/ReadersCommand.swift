internal import LuaBindings
internal import Modeling
internal import Presentation

struct ReadersCommand: CommandGroup {
  let tools: CommandTools

  var all: [Command] { [readersCommand] }

  /// `.readers [SUFFIX [COMMAND ... | off | usual]]`
  var readersCommand: Command {
    Command(
      name: "readers", arguments: "[SUFFIX [PROGRAM ... FILE|off|usual]]",
      summary: "list or set the programs that read the rows of other kinds of files",
      parameters: [.words { Readers.ofUser.kinds.map { Completions.Candidate($0) } }, .oneOf("off", "usual")],
      mayBePiped: false, changesThings: true, inSandbox: .refused(because: "scripts run no programs in it")
    ) {
      (invocation) throws(CommandFailure) in
      guard let name = invocation.arguments.first else { return list(Readers.ofUser.kinds) }
      let kind = (name.hasPrefix(".") ? String(name.dropFirst()) : name).lowercased()
      let words = Array(invocation.arguments.dropFirst())
      if !words.isEmpty {
        try perform { try choose(words == ["usual"] ? nil : words == ["off"] ? [] : words, for: kind) }
      }
      if words.isEmpty || isAtPrompt { list([kind]) }
    }
  }

  private func choose(_ words: [String]?, for kind: String) throws {
    func fail(_ message: String) -> ArgumentFailure { ArgumentFailure(function: ".readers", message: message) }
    if DataFile.Format(path: "rows.\(kind)") != nil { throw fail("files of \(kind) are read without a program") }
    let readers = Readers.ofUser
    guard let path = readers.path else { throw fail("there is no home folder") }
    if readers.isDamaged { throw fail("\(path) cannot be read; mend or remove it first") }
    AtomicFile.makeFolders(FilePath.folder(of: path))
    try AtomicFile.write(path) {
      $0.write(String(decoding: readers.settings(with: words, for: kind), as: UTF8.self))
    }
  }

  private func list(_ kinds: [String]) {
    let width = kinds.map(\.count).max() ?? 0
    let readers = Readers.ofUser
    let lines = kinds.map { kind in
      let padding = String(repeating: " ", count: width - kind.count)
      return "  \(layout.style(.name, kind))\(padding)  \(sentence(kind, readers))\n"
    }
    printText(DisplayText.picturingControls(in: lines.joined(), layout.charset, keepingLines: true))
  }

  private func sentence(_ kind: String, _ readers: Readers) -> String {
    if let reader = readers[kind] {
      let words = reader.words.map { $0.contains { " '\"".contains($0) } ? "\"\($0)\"" : $0 }
      return words.joined(separator: " ") + (reader.isThere ? "" : " (which is not on the PATH)")
    }
    if readers.chosen[kind] != nil { return "off" }
    let programs = Reader.known.filter { $0.kind == kind }.map { $0.words[0] }
    return programs.isEmpty ? "none" : "\(programs.joined(separator: " or ")), if it were on the PATH"
  }
}
