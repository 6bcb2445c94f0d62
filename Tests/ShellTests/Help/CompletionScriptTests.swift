import Foundation
import Testing

/// The completions do in the real shells what their users expect.
@Suite(.serialized) struct CompletionScriptTests {
  /// What is typed, and the line that Tab makes of it.
  struct Case: Sendable, CustomStringConvertible {
    var typed: String
    var made: String
    var description: String { typed }
  }

  static let cases = [
    Case(typed: "perilune doct", made: "perilune doctor "),
    Case(typed: "perilune qua", made: "perilune quakes.sqlite "),
    Case(typed: "perilune doctor qua", made: "perilune doctor quakes.sqlite "),
    Case(typed: "perilune --dry", made: "perilune --dry-run "),
    Case(typed: "perilune quakes.sqlite --requ", made: "perilune quakes.sqlite --require-clean "),
    Case(typed: "perilune quakes.sqlite rep", made: "perilune quakes.sqlite report.lua "),
    // What follows a script is the script's.
    Case(typed: "perilune report.lua --requ", made: "perilune report.lua --requ"),
    Case(typed: "perilune report.lua qua", made: "perilune report.lua quakes.sqlite "),
    Case(typed: "perilune --mode mark", made: "perilune --mode markdown "),
    Case(typed: "perilune --mode=mark", made: "perilune --mode=markdown "),
    // A value is not the first name.
    Case(typed: "perilune --mode csv doct", made: "perilune --mode csv doctor "),
    Case(typed: "perilune types --sw", made: "perilune types --swift "),
    Case(typed: "perilune types --requ", made: "perilune types --requ"),
    Case(typed: "perilune check re", made: "perilune check report.lua "),
    Case(typed: "perilune doc quakes.sqlite --into mod", made: "perilune doc quakes.sqlite --into models/"),
    Case(typed: "perilune help chec", made: "perilune help check "),
    Case(typed: "perilune my", made: "perilune my\\ store.sqlite "),
    // A folder that is called as a command is does not change what the command is.
    Case(typed: "perilune manua", made: "perilune manual "),
  ]

  private static func isThere(_ shell: String) -> Bool {
    ["/bin/", "/usr/bin/", "/usr/local/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + shell) }
  }

  /// The program beside files to complete, and the scripts in `out`.
  private func completed() throws -> BuiltProgram {
    let program = try BuiltProgram.withStore()
    #expect(try program.run(["manual", "out"]).status == 0)
    for name in ["report.lua", "reasons.txt", "my store.sqlite"] { try program.write(name, "") }
    for name in ["models", "manuals"] {
      try FileManager.default.createDirectory(atPath: program.path(name), withIntermediateDirectories: false)
    }
    return program
  }

  /// Types each line into a shell and waits for what Tab makes of it; what a shell leaves to be removed does not count.
  private func expect(in shell: String, _ arguments: [String], setUp: String) throws {
    let program = try completed()
    let session = try PTYSession(
      executable: "/usr/bin/env", arguments: ["-C", program.folder.path, shell] + arguments,
      environment: program.environment.merging(["PS1": "> "]) { $1 }, columns: 100)
    session.send("PS1='> '; " + setUp + "; echo rea''dy\r")
    try session.expect("ready")
    try session.expectPrompt(">")
    for example in Self.cases {
      session.send(example.typed + "\t")
      let line = "> " + example.made
      try session.expectScreen { $0.currentLine == line.trimmingCharacters(in: .whitespaces) }
      // An error would stand below, or would have moved the line.
      session.settle(milliseconds: 60)
      #expect(session.screen.currentLine == line.trimmingCharacters(in: .whitespaces), "\(shell): \(session.screen)")
      session.send("\u{3}")
      try session.expectPrompt(">")
    }
    #expect(
      !session.transcript.contains("error") && !session.transcript.contains("_arguments"), "\(session.transcript)")
  }

  @Test func bashCompletes() throws {
    try expect(in: "bash", ["--norc", "--noprofile"], setUp: "source out/perilune.bash")
  }

  @Test(.enabled(if: isThere("zsh"), "zsh is not installed"))
  func zshCompletes() throws {
    // What is found at once is put in, without a list.
    try expect(
      in: "zsh", ["-f"],
      setUp: "unsetopt autoremoveslash; fpath=($PWD/out $fpath); autoload -Uz compinit; compinit -u -D")
  }

  @Test(.enabled(if: isThere("fish"), "fish is not installed"))
  func fishCompletes() throws {
    let program = try completed()
    for example in Self.cases {
      let result = try program.shell(
        ["fish", "--no-config", "-c", "source out/perilune.fish; complete -C \"$argv\"", example.typed])
      let found = result.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
      #expect(result.errors == "", "\(example.typed)")
      let word = example.typed.split(separator: " ").last.map(String.init) ?? ""
      let made = String(example.made.dropFirst(example.typed.count - word.count)).trimmingCharacters(in: .whitespaces)
      if example.made == example.typed {
        #expect(found.isEmpty, "\(example.typed): \(found)")
      } else {
        #expect(found.contains(made.replacing("\\ ", with: " ")), "\(example.typed): \(found)")
      }
    }
  }

  @Test func eachShellOffersAllCommandsAndTheirOptions() throws {
    let program = try completed()
    let commands = try program.run(["--help"]).output.matches(of: /(?m)^  ([a-z]+) +[A-Z]/).map { String($0.1) }
    #expect(commands.count >= 7)
    let line =
      "COMP_WORDS=(perilune ''); COMP_CWORD=1; _perilune perilune '' perilune; printf '%s\\n' \"${COMPREPLY[@]}\""
    let bash = try program.shell(["bash", "-c", "compopt() { :; }; source out/perilune.bash; \(line)"])
    for command in commands {
      #expect(bash.output.contains(command + "\n"), "\(command): \(bash.output)\(bash.errors)")
    }
  }

  @Test func theOptionOfArgumentParserWritesTheSameScripts() throws {
    let program = try completed()
    for (shell, file) in [("bash", "perilune.bash"), ("zsh", "_perilune"), ("fish", "perilune.fish")] {
      let text = try String(contentsOfFile: program.path("out/" + file), encoding: .utf8)
      #expect(try program.run(["--generate-completion-script", shell]).output == text)
      #expect(try program.run(["--generate-completion-script=" + shell]).output == text)
    }
    let result = try program.run(["--generate-completion-script", "tcsh"])
    #expect(result.status == 64)
    #expect(result.errors.contains("expected one of bash, fish, zsh, got \"tcsh\""), "\(result.errors)")
  }
}
