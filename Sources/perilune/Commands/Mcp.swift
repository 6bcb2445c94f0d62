internal import ArgumentParser
internal import Shell

/// `perilune mcp STORE ...`
struct Mcp: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Serve stores to an agent by the Model Context Protocol, on standard input and output.",
    usage: "perilune mcp STORE ... [--write | --hide ENTITY.PROPERTY,...]",
    discussion: """
      An agent starts it as a server of its own: command perilune, arguments mcp and the stores. It reads: describe, find, ask, \
      why, explain, run, swift, changes. With --write it also changes: propose, commit, undo. Each call has 5 seconds and 256 MB, \
      or what --timeout and --memory-limit say.
      """)

  @Argument(help: "The stores: files, or addresses of PostgreSQL databases.", completion: .file())
  var stores: [String] = []

  @Flag(help: "Offer propose, commit and undo.")
  var write = false

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Attributes that the agent does not see, separated by commas; * is every entity. It can ask only whether one equals a value.",
      valueName: "entity.property"))
  var hide: [String] = []

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if stores.isEmpty { throw ValidationError("expected one store or several: perilune mcp STORE ... [--write]") }
  }

  var programRun: AgentRun {
    AgentRun(
      stores, writes: write, hiding: hide.flatMap { $0.split(separator: ",").map(String.init) }, common.options)
  }
}
