internal import ArgumentParser
internal import Shell

/// `perilune attach SOCKET`
struct Attach: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Open the prompt of a console in a program that runs.",
    usage: "perilune attach SOCKET [--reason TEXT] [--mode MODE]",
    discussion: """
      A program in Swift listens with console.listen(on: .socket(path)). Scripts run in that program, over a connection to its store \
      of their own, and have the functions that it defines. Lines from a pipe run as a script; the exit statuses are those of a \
      script.
      """)

  @Argument(help: "The file of the socket.", completion: .file())
  var socket: String?

  @Option(help: "How results are shown.", completion: .list(RunOptions.modes))
  var mode: String?

  @Option(help: ArgumentHelp("Why you attach, for a console that asks.", valueName: "text"))
  var reason: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if socket == nil { throw ValidationError("expected one socket: perilune attach SOCKET") }
    try expect("--mode", mode, among: RunOptions.modes)
  }

  var programRun: AttachRun { AttachRun(socket ?? "", reason: reason, common.options(mode: mode)) }
}
