internal import Glibc
internal import LuaBindings
internal import Modeling
internal import Presentation

/// Blocks of Lua that were kept under a name, a file each: `~/.config/perilune/kept/strong.lua`.
struct KeptBlocks {
  private let folder: String

  /// Those in the folder of a user's settings.
  init(_ configuration: String) { folder = configuration + "/kept" }

  /// Whether a name can be that of a file everywhere.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 100 && name.first != "-"
      && name.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == "-"
      }
  }

  /// The names, in alphabetical order.
  var names: [String] {
    guard let entries = opendir(folder) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".lua"), Self.isName(String(name.dropLast(4))) { names.append(String(name.dropLast(4))) }
    }
    return names.sorted()
  }

  func path(_ name: String) -> String { "\(folder)/\(name).lua" }

  func text(_ name: String) throws -> String {
    let text = String(decoding: try readFile(path(name)), as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  func keep(_ text: String, as name: String) throws {
    AtomicFile.makeFolders(folder)
    try AtomicFile.write(path(name)) { $0.write(text + "\n") }
  }
}

struct KeptCommands: CommandGroup {
  let tools: CommandTools
  let evaluator: Evaluator
  /// The folder of the user's settings; nil for none.
  let configuration: String?

  var all: [Command] { [keepCommand, keptCommand] }

  private var keptBlocks: KeptBlocks? { configuration.map(KeptBlocks.init) }

  /// `.keep NAME [REQUEST]`
  var keepCommand: Command {
    Command(
      name: "keep", arguments: "NAME [REQUEST]", summary: "keep a request, or the last block, for .kept NAME",
      parameters: [.oneOf(), codeParameter],
      mayBePiped: false, changesThings: true, inSandbox: .refused(because: "scripts have no files in it")
    ) {
      (invocation) throws(CommandFailure) in
      guard let name = invocation.arguments.first else { throw .usage(invocation.command.usage) }
      let given = invocation.text(behind: 1)
      try perform {
        guard KeptBlocks.isName(name) else {
          throw ArgumentFailure(function: ".keep", message: "a name has letters, digits, _ and -, got '\(name)'")
        }
        guard let blocks = keptBlocks else {
          throw ArgumentFailure(function: ".keep", message: "there is no home folder")
        }
        guard let text = given.isEmpty ? evaluator.lastBlock : given else {
          throw ArgumentFailure(
            function: ".keep", message: "no block has been run yet; .keep NAME REQUEST keeps that one")
        }
        if engine.isMistake(text) { throw ArgumentFailure(function: ".keep", message: "that is no Lua: \(text)") }
        try blocks.keep(text, as: name)
        if isAtPrompt { tellDone("kept in \(blocks.path(name)); .kept \(name) runs it") }
      }
    }
  }

  /// `.kept [NAME [VARIABLE = VALUE, ...]]`
  var keptCommand: Command {
    Command(
      name: "kept", arguments: "[NAME [VARIABLE = VALUE, ...]]",
      summary: "list what .keep has kept, or run one of it, with values for a request's variables",
      parameters: [.words { (keptBlocks?.names ?? []).map { Completions.Candidate($0) } }],
      takesText: true,
      inSandbox: .refused(because: "scripts have no files in it"),
      run: { (invocation) throws(CommandFailure) in
        let names = keptBlocks?.names ?? []
        let name = String(invocation.text.prefix { !$0.isWhitespace })
        guard !name.isEmpty else {
          let width = names.map(\.count).max() ?? 0
          let lines = names.map { name in
            let text = (try? keptBlocks?.text(name)) ?? ""
            let first = text.prefix { !$0.isNewline } + (text.contains { $0.isNewline } ? " ..." : "")
            return "  \(name)\(String(repeating: " ", count: width - name.count))  \(first)\n"
          }
          printText(
            names.isEmpty
              ? "nothing is kept yet: .keep NAME keeps the last block\n"
              : DisplayText.picturingControls(in: lines.joined(), layout.charset, keepingLines: true))
          return
        }
        guard !names.isEmpty else {
          console.refuse("there is no '\(name)': nothing is kept yet; .keep NAME keeps the last block")
          throw .failed(status: ExitStatus.failed)
        }
        guard names.contains(name) else {
          throw .invalidArgument(name, expected: names, nearest: nearestName(to: name, in: names))
        }
        var status: Int32 = 0
        try perform {
          let text = try keptBlocks?.text(name) ?? ""
          let values = invocation.text.dropFirst(name.count).trimmingPrefix(while: \.isWhitespace)
          status = evaluator.evaluate(values.isEmpty ? text : try bound(text, name, String(values)), chunk: "=\(name)")
        }
        if status != 0 { throw .failed(status: status) }
      })
  }

  /// A kept request with values for its variables: `x = 7, y = "a"`.
  private func bound(_ text: String, _ name: String, _ values: String) throws -> String {
    let table = values.hasPrefix("{") ? values : "{ \(values) }"
    guard engine.isExpression(text) else {
      throw ArgumentFailure(
        function: ".kept", message: "'\(name)' is a block of statements; only a request has variables")
    }
    guard engine.isExpression(table), values.contains("=") else {
      throw ArgumentFailure(
        function: ".kept", message: "expected values as in .kept \(name) x = 7, y = \"a\", got \(values)")
    }
    return "(\(text)):bind \(table)"
  }
}
