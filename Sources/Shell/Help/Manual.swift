internal import Modeling

/// The manual page and the completions of shells, written from the definitions of the command line.
public struct Manual {
  private let usage: String
  private let definitions: String
  private let completions: [String: String]

  /// Makes one of the lines of usage, the definitions that ArgumentParser dumps as JSON, and of completion scripts by their file's name.
  public init(usage: String, definitions: String, completions: [String: String]) {
    self.usage = usage
    self.definitions = definitions
    self.completions = completions
  }

  /// Writes `perilune.1` and the completions into a folder, made if it is not there, and returns the status.
  public func write(into folder: String) -> Int32 {
    let surroundings = Surroundings(color: .never)
    var files = completions
    files["perilune.1"] = page
    return surroundings.write(files, into: folder)
  }

  /// The manual page, in the macros of man(7).
  var page: String {
    let command = ((try? JSON.parse(definitions))?["command"]) ?? .null
    var lines = [
      ".TH PERILUNE 1 \"\" \"perilune \(PeriluneVersion.text)\" \"User Commands\"", ".SH NAME",
      "perilune \\- " + Self.escaped(command["abstract"]?.string ?? ""), ".SH SYNOPSIS", ".nf",
    ]
    lines += Self.lines(of: usage)
    lines += [".fi", ".SH DESCRIPTION"]
    for paragraph in (command["discussion"]?.string ?? "").split(separator: "\n", omittingEmptySubsequences: true) {
      let isStatus = paragraph.hasPrefix("Exit status: ")
      // mandoc wants no paragraph mark right behind a heading.
      if !isStatus { lines += (lines.last == ".SH DESCRIPTION" ? [] : [".PP"]) + Self.lines(of: String(paragraph)) }
    }
    lines.append(".SH OPTIONS")
    for argument in command["arguments"]?.elements ?? [] { lines += option(argument) }
    lines.append(".SH COMMANDS")
    for subcommand in command["subcommands"]?.elements ?? [] where subcommand["commandName"]?.string != "help" {
      lines += [".SS " + Self.escaped(subcommand["commandName"]?.string ?? "")]
      lines += Self.lines(of: subcommand["abstract"]?.string ?? "")
      for argument in subcommand["arguments"]?.elements ?? [] where !Self.isForAll(argument) {
        lines += option(argument)
      }
    }
    lines.append(".SH EXIT STATUS")
    lines += Self.lines(of: exitStatus(command["discussion"]?.string ?? ""))
    lines += [".SH FILES"] + Self.files.flatMap { [".TP", ".I " + Self.escaped($0)] + Self.lines(of: $1) }
    lines += [".SH ENVIRONMENT"] + Self.variables.flatMap { [".TP", ".B " + $0] + Self.lines(of: $1) }
    lines += [".SH EXAMPLES"] + Self.examples.flatMap { [".TP", ".B " + Self.escaped($0)] + Self.lines(of: $1) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Whether an option is described once, with the options of the program.
  private static func isForAll(_ argument: JSON) -> Bool {
    let names = (argument["names"]?.elements ?? []).compactMap { $0["name"]?.string }
    return names.contains {
      ["color", "timeout", "memory-limit", "sandbox", "trace", "quiet", "help", "version"].contains($0)
    }
  }

  private func exitStatus(_ discussion: String) -> String {
    let paragraph = discussion.split(separator: "\n").first { $0.hasPrefix("Exit status: ") } ?? ""
    return String(paragraph.dropFirst("Exit status: ".count))
  }

  private func option(_ argument: JSON) -> [String] {
    let names = (argument["names"]?.elements ?? []).compactMap { name -> String? in
      guard let text = name["name"]?.string else { return nil }
      return (name["kind"]?.string == "short" ? "\\-" : "\\-\\-") + Self.escaped(text)
    }
    let value = argument["valueName"]?.string ?? ""
    let takesValue = argument["kind"]?.string == "option"
    var isRepeating = false
    if case .bool(true)? = argument["isRepeating"] { isRepeating = true }
    let heading =
      names.isEmpty
      ? "\\fI\(Self.escaped(value))\\fR\(isRepeating ? " ..." : "")"
      : "\\fB\(names.joined(separator: "\\fR, \\fB"))\\fR"
    return [".TP", heading + (takesValue ? " \\fI\(Self.escaped(value))\\fR" : "")]
      + Self.lines(of: argument["abstract"]?.string ?? "")
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

extension JSON {
  fileprivate subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  fileprivate var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  fileprivate var elements: [JSON] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }
}
