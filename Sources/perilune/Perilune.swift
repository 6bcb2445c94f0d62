internal import ArgumentParser
internal import Shell

/// The command line of perilune.
@main
struct Perilune: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "perilune",
    abstract: "Explore and script an SQLite store in Lua, with entities, fetch requests and predicates.",
    usage: "perilune [options] [store] [script.lua [arguments ...]]",
    discussion: """
      The first name is a store if it is an SQLite file or does not end in .lua; else it is a script. Without a script \
      and without -e, a terminal gets the prompt and standard input that is no terminal is a script.

      Exit status: 0 done, 1 a script failed, 64 usage, 65 bad data, 66 no such store, 69 no store or it does not fit \
      the model, 74 input/output, 75 busy, 77 a write was refused, 124 time limit, 130 interrupted, 141 broken pipe.
      """,
    version: PeriluneVersion.text)

  @Option(help: "A model for the store: a Lua file.", completion: .file())
  var model: String?

  @Flag(help: "Make the store if it is not there.")
  var create = false

  @Flag(name: .customLong("read-only"), help: "Refuse every write.")
  var readOnly = false

  @Flag(help: "Open a Core Data store writable.")
  var write = false

  @Flag(name: .customLong("dry-run"), help: "Run, show what would change, and take it back.")
  var dryRun = false

  @Option(name: [.short, .customLong("execute")], help: "Evaluate Lua and show an expression's value; may be repeated.")
  var execute: [String] = []

  @Flag(name: [.customShort("i"), .customLong("interactive")], help: "Stay at the prompt afterwards.")
  var interactive = false

  @Option(
    help: "How results are shown: table, lines, list, csv, tsv, json, ndjson, markdown or html.",
    completion: .list(OutputMode.allCases.map(\.rawValue)))
  var mode: String?

  @Option(help: "End scripts after so many seconds.")
  var timeout: Double?

  @Option(name: .customLong("memory-limit"), help: "The most memory scripts may take, in MB.")
  var memoryLimit: Int?

  @Flag(help: "No files, processes, environment, bytecode or C modules for scripts.")
  var sandbox = false

  @Option(help: "Colour: auto, always or never.", completion: .list(["auto", "always", "never"]))
  var color: String?

  @Flag(name: .customLong("no-init"), help: "Do not run the init file.")
  var noInit = false

  @Flag(name: .shortAndLong, help: "No banner.")
  var quiet = false

  /// Splits the script's arguments off, parses the rest and runs.
  static func main() {
    let split = SplitArguments(Array(CommandLine.arguments.dropFirst()), isStore: Launch.isStore)
    do {
      let command = try Perilune.parse(split.own)
      let launch = try command.launch(split)
      Launch.exit(with: launch.run())
    } catch {
      exit(withError: error)
    }
  }

  func validate() throws {
    if let mode, OutputMode(rawValue: mode) == nil {
      throw ValidationError("--mode: expected one of \(Self.words(OutputMode.allCases.map(\.rawValue))), got \"\(mode)\"")
    }
    if let color, ColorChoice(rawValue: color) == nil {
      throw ValidationError("--color: expected one of \(Self.words(ColorChoice.allCases.map(\.rawValue))), got \"\(color)\"")
    }
    if let timeout, !(timeout > 0) { throw ValidationError("--timeout: expected a number of seconds above 0, got \(timeout)") }
    if let memoryLimit, memoryLimit < 1 {
      throw ValidationError("--memory-limit: expected a number of MB above 0, got \(memoryLimit)")
    }
    if readOnly && write { throw ValidationError("--read-only and --write exclude each other") }
    if readOnly && create { throw ValidationError("--read-only and --create exclude each other") }
  }

  private static func words(_ list: [String]) -> String { list.joined(separator: ", ") }

  private func launch(_ split: SplitArguments) throws -> Launch {
    var launch = Launch()
    launch.storePath = split.store
    launch.script = split.script
    launch.scriptArguments = split.scriptArguments
    launch.modelPath = model
    launch.createsStore = create
    launch.isReadOnly = readOnly
    launch.isWritable = write
    launch.isDryRun = dryRun
    launch.expressions = execute
    launch.staysInteractive = interactive
    launch.mode = mode.flatMap(OutputMode.init(rawValue:))
    launch.timeout = timeout
    launch.memoryLimit = memoryLimit.map { $0 << 20 }
    launch.isSandboxed = sandbox
    launch.color = color.flatMap(ColorChoice.init(rawValue:)) ?? .auto
    launch.runsInit = !noInit
    launch.isQuiet = quiet
    return launch
  }
}
