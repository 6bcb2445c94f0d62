internal import Session

/// The manual page and the completions of shells, written from the definitions of the command line.
package struct Manual {
  private let usage: String
  private let program: CommandDefinition?

  /// Makes one of the lines of usage, and the definitions that ArgumentParser dumps as JSON.
  package init(usage: String, definitions: String) {
    self.usage = usage
    program = CommandDefinition(dump: definitions)
  }

  /// The completion script of a shell by its name; nil for one that has none.
  package func completion(of shell: String) -> String? { completions[shell]?.text }

  /// The shells with a script, in alphabetical order.
  package var shells: [String] { completions.keys.sorted() }

  /// The scripts by the names of the shells, with the names of the files that the shells look for.
  private var completions: [String: (file: String, text: String)] {
    guard let script = program.map(CompletionScript.init) else { return [:] }
    let name = script.program.name
    return [
      "bash": ("\(name).bash", script.bash), "zsh": ("_\(name)", script.zsh), "fish": ("\(name).fish", script.fish),
    ]
  }

  /// Writes `perilune.1` and the completions into a folder, made if it is not there, and returns the status.
  package func write(into folder: String) -> Int32 {
    let surroundings = Surroundings(color: .never)
    var files = ["perilune.1": page]
    for (file, text) in completions.values { files[file] = text }
    return surroundings.write(files, into: folder)
  }

  /// The manual page, in the macros of man(7).
  var page: String {
    var lines = [
      ".TH PERILUNE 1 \"\" \"perilune \(PeriluneVersion.text)\" \"User Commands\"", ".SH NAME",
      "perilune \\- " + Self.escaped(program?.summary ?? ""), ".SH SYNOPSIS", ".nf",
    ]
    lines += Self.lines(of: usage)
    lines += [".fi", ".SH DESCRIPTION"]
    for paragraph in (program?.discussion ?? "").split(separator: "\n", omittingEmptySubsequences: true) {
      let isStatus = paragraph.hasPrefix("Exit status: ")
      // mandoc wants no paragraph mark right behind a heading.
      if !isStatus { lines += (lines.last == ".SH DESCRIPTION" ? [] : [".PP"]) + Self.lines(of: String(paragraph)) }
    }
    lines.append(".SH OPTIONS")
    for argument in (program?.operands ?? []) + (program?.options ?? []) { lines += entry(argument) }
    lines.append(".SH COMMANDS")
    for command in program?.commands ?? [] where command.name != "help" {
      lines += [".SS " + Self.escaped(command.name)]
      lines += Self.lines(of: command.summary)
      for argument in command.operands + command.options where !Self.isForAll(argument) { lines += entry(argument) }
    }
    lines.append(".SH EXIT STATUS")
    lines += Self.lines(of: exitStatus(program?.discussion ?? ""))
    lines += [".SH FILES"] + Self.files.flatMap { [".TP", ".I " + Self.escaped($0)] + Self.lines(of: $1) }
    lines += [".SH ENVIRONMENT"] + Self.variables.flatMap { [".TP", ".B " + $0] + Self.lines(of: $1) }
    lines += [".SH EXAMPLES"] + Self.examples.flatMap { [".TP", ".B " + Self.escaped($0)] + Self.lines(of: $1) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Whether an option is described once, with the options of the program.
  private static func isForAll(_ argument: CommandDefinition.Argument) -> Bool {
    argument.names.contains {
      ["--color", "--timeout", "--memory-limit", "--sandbox", "--trace", "--quiet", "--help", "--version"].contains($0)
    }
  }

  private func exitStatus(_ discussion: String) -> String {
    let paragraph = discussion.split(separator: "\n").first { $0.hasPrefix("Exit status: ") } ?? ""
    return String(paragraph.dropFirst("Exit status: ".count))
  }

  private func entry(_ argument: CommandDefinition.Argument) -> [String] {
    let value = "\\fI\(Self.escaped(argument.valueName))\\fR"
    let heading =
      argument.names.isEmpty
      ? value + (argument.isRepeating ? " ..." : "")
      : "\\fB\(argument.names.map(Self.escaped).joined(separator: "\\fR, \\fB"))\\fR"
        + (argument.value == nil ? "" : " " + value)
    return [".TP", heading] + Self.lines(of: argument.summary)
  }

  /// The files that the program reads and writes beside those that it is given.
  private static let files: KeyValuePairs = [
    "~/.config/perilune/init.lua":
      "Lua that runs before the first prompt, unless --no-init is given or input is not a terminal.",
    "~/.config/perilune/storage.json": "Values that scripts keep from one run to the next.",
  ]

  private static let variables: KeyValuePairs = [
    "XDG_CONFIG_HOME": "The folder of configuration in place of ~/.config.",
    "NO_COLOR": "No colour, whatever the value.",
    "LC_ALL, LC_CTYPE, LANG": "Whether output is UTF-8 or ASCII.",
  ]

  private static let examples: KeyValuePairs = [
    "perilune quakes.sqlite": "A prompt on a store.",
    "perilune quakes.sqlite -e 'Quake:count()'": "One answer.",
    "perilune quakes.sqlite report.lua --all": "A script, with an argument of its own.",
    "perilune postgres://localhost/shop": "A prompt on a database of PostgreSQL.",
    "perilune rows.csv": "A prompt on rows, in a store in memory.",
    "perilune check report.lua --store quakes.sqlite": "The mistakes of a script, without running it.",
  ]

  /// A text as lines of roff: no line is taken for a request.
  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n").map { line in
      let shown = escaped(String(line.drop { $0 == " " }))
      return shown.hasPrefix(".") || shown.hasPrefix("'") ? "\\&" + shown : shown
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
  }
}
