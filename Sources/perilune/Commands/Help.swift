internal import ArgumentParser
internal import Glibc
internal import Session
internal import Shell

/// `perilune help [COMMAND]`, `perilune help --llm [STORE | MODEL]`
struct Help: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "help",
    abstract: "Show the options of a command; with --llm, all that a program needs to write scripts.",
    usage: """
      perilune help [COMMAND]
      perilune help --llm [STORE | MODEL]
      """)

  @Argument(help: "A command; with --llm a store or a file of a model, whose entities are shown, too.")
  var name: String?

  @Flag(
    help:
      "How scripts are run, the predicate language, and every function, as Markdown for a program that writes scripts.")
  var llm = false

  func run() throws {
    if llm {
      let store = name.map { name in
        FileArgument.isModel(name)
          ? StoreAccess(reading: nil, modelPath: name) : StoreAccess(reading: name)
      }
      Glibc.exit(GuideRun(of: store, RunOptions()).run())
    }
    guard let name else { Perilune.exit(withError: CleanExit.helpRequest(Perilune.self)) }
    let commands = Perilune.configuration.subcommands
    guard let command = commands.first(where: { $0._commandName == name }) else {
      throw ValidationError(
        "there is no command '\(name)'; there are \(commands.map { $0._commandName }.joined(separator: ", "))")
    }
    command.exit(withError: CleanExit.helpRequest(command))
  }
}
