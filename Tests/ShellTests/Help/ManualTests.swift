import Foundation
import Testing

/// The manual page and the completions follow the definitions of the command line.
@Suite struct ManualTests {
  private func manual() throws -> (program: BuiltProgram, page: String) {
    let program = try BuiltProgram()
    let result = try program.run(["manual", "out"])
    #expect(result.status == 0, "\(result.errors)")
    return (program, try String(contentsOfFile: program.path("out/perilune.1"), encoding: .utf8))
  }

  @Test func everyOptionOfTheHelpIsInThePageAndTheCompletions() throws {
    let (program, page) = try manual()
    let help = try program.run(["--help"]).output
    let options = Set(help.matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
    #expect(options.count > 15)
    let optionLines = help.split(separator: "\n").filter { $0.contains("  --") || $0.contains("  -") }
    let declared = options.filter { option in optionLines.contains { $0.contains(option) } }
    for option in declared where option != "--help" && option != "--version" {
      #expect(page.contains(option.replacing("-", with: "\\-")), "\(option)")
      for file in ["perilune.bash", "_perilune"] {
        #expect(try String(contentsOfFile: program.path("out/" + file), encoding: .utf8).contains(option), "\(file)")
      }
      let fish = try String(contentsOfFile: program.path("out/perilune.fish"), encoding: .utf8)
      #expect(fish.contains(option.dropFirst(2)))
    }
  }

  @Test func thePageHasItsSections() throws {
    let (_, page) = try manual()
    let sections = page.split(separator: "\n").filter { $0.hasPrefix(".SH ") }.map { String($0.dropFirst(4)) }
    #expect(
      sections == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT STATUS", "FILES", "ENVIRONMENT", "EXAMPLES",
      ])
    #expect(page.contains("perilune check FILE"))
    #expect(page.contains("64 wrong usage"))
    // What can be opened is named where one looks first.
    for text in [page, try BuiltProgram().run(["--help"]).output] {
      for name in ["SQLite", "PostgreSQL", "CSV", "postgres://"] { #expect(text.contains(name), "\(name)") }
    }
  }

  @Test func everyOptionOfEachCommandIsInThePageAndTheCompletions() throws {
    let (program, page) = try manual()
    let commands = page.split(separator: "\n").filter { $0.hasPrefix(".SS ") }.map { String($0.dropFirst(4)) }
    #expect(commands.contains("check") && commands.contains("types"))
    let bash = try String(contentsOfFile: program.path("out/perilune.bash"), encoding: .utf8)
    for command in commands {
      let help = try program.run([command, "--help"])
      #expect(help.status == 0)
      #expect(help.output.contains("USAGE: perilune \(command)"), "\(help.output)")
      #expect(try program.run(["help", command]).output == help.output)
      let options = Set(help.output.matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
      for option in options where option != "--help" {
        #expect(page.contains(option.replacing("-", with: "\\-")), "\(command) \(option)")
        #expect(bash.contains(option), "\(command) \(option)")
      }
      #expect(bash.contains(command))
    }
  }

  @Test func itIsWrittenTheSameTwice() throws {
    let (first, second) = (try manual(), try manual())
    for name in ["perilune.1", "perilune.bash", "_perilune", "perilune.fish"] {
      #expect(
        try Data(contentsOf: URL(filePath: first.program.path("out/" + name)))
          == Data(contentsOf: URL(filePath: second.program.path("out/" + name))))
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc"), "mandoc is not installed"))
  func mandocFindsNothingWrongWithThePage() throws {
    let (program, _) = try manual()
    let result = try program.shell(["mandoc", "-T", "lint", "-W", "warning", "out/perilune.1"])
    // A page without a date is the same whenever it is made.
    let lines = (result.output + result.errors).split(separator: "\n").filter { !$0.contains("missing date") }
    #expect(lines.isEmpty)
  }

  @Test func bashReadsItsCompletions() throws {
    let (program, _) = try manual()
    let result = try program.shell(["bash", "-n", "out/perilune.bash"])
    #expect(result.status == 0, "\(result.errors)")
  }
}
