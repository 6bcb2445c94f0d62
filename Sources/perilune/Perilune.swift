internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import Session
internal import Shell

/// The command line of perilune.
@main
struct Perilune: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "perilune",
    abstract: "Explore and script SQLite, PostgreSQL and CSV in Lua, with entities, fetch requests and predicates.",
    usage: """
      perilune [options] [store] [script.lua [arguments ...]]
      perilune [options] postgres://HOST/DATABASE [script.lua [arguments ...]]
      perilune [options] rows.csv [rows.json ...] [script.lua [arguments ...]]
      \(commands.compactMap { $0.configuration.usage }.joined(separator: "\n"))
      """,
    discussion: """
      The first name is a store if it is an SQLite file, the address of a PostgreSQL database or does not end in .lua; else it \
      is a script, and everything behind a script is its own. Files of rows (.csv, .tsv, .json, \
      .ndjson, .geojson, .plist, .xlsx, also as .gz, and - for those of standard input) become a store in memory, with an entity for each; so does a dump (.sql) with all of its own. Without a script and without -e, a terminal gets the prompt, and standard input that \
      is no terminal is a script. The words of the commands below come first; a file of such a name is ./check.

      Exit status: 0 done, 1 a script or a test failed or check found mistakes, 64 wrong usage, 65 bad data in an import, 66 no such store, 69 no store or \
      one that the model does not fit, 74 input or output, 75 busy, 77 a write, or something by the sandbox, was refused, 124 the time limit, 130 \
      interrupted, 141 broken pipe; os.exit(n) passes n on.
      """,
    version: PeriluneVersion.text,
    subcommands: commands)

  private static let commands: [any ParsableCommand.Type] = [
    Init.self, Doc.self, Doctor.self, Compare.self, Apply.self, Merge.self, Subset.self, Types.self, Watch.self,
    Serve.self, Check.self, Test.self, Mcp.self, Lsp.self, Attach.self, ManualPage.self, Help.self,
  ]

  /// The commands' names, which most starts do not need.
  private static var commandNames: [String] { commands.map { $0._commandName } }

  // Names are taken off before this is parsed; declared, they are completed and explained.
  @Argument(
    help: ArgumentHelp("A store or files of rows, then a script and its arguments.", valueName: "name"),
    completion: .file())
  var names: [String] = []

  @Option(
    help: "A model for the store: a Lua or Swift file, or a .xcdatamodeld, .xcdatamodel, .momd or .mom.",
    completion: .file())
  var model: String?

  @Option(
    help: "The version of a model that has several: a schema of a Swift file, or a version of a .xcdatamodeld or .momd."
  )
  var schema: String?

  @Option(
    help: "The format of rows whose file does not say it: \(ScriptRun.dataFormats.joined(separator: ", ")).",
    completion: .list(ScriptRun.dataFormats))
  var from: String?

  @Flag(help: "Make the store if it is not there.")
  var create = false

  @Flag(name: .customLong("read-only"), help: "Refuse every write.")
  var readOnly = false

  @Flag(help: "Open a Core Data store writable; take back a change that was cut off.")
  var write = false

  @Flag(help: "Migrate to the model although that loses what it has no place for; a copy of the file is kept.")
  var migrate = false

  @Flag(name: .customLong("no-text-dates"), help: "Read dates that a file made elsewhere keeps as text as texts.")
  var noTextDates = false

  @Flag(name: .customLong("dry-run"), help: "Run, show what would change, and take it back.")
  var dryRun = false

  @Option(
    name: [.customShort("e", allowingJoined: true), .customLong("execute")], parsing: .unconditionalSingleValue,
    help: "Evaluate Lua and show an expression's value; may be repeated.")
  var execute: [String] = []

  @Flag(name: [.customShort("i"), .customLong("interactive")], help: "Stay at the prompt afterwards.")
  var interactive = false

  @Option(
    help: "How results are shown: \(RunOptions.modes.joined(separator: ", ")).", completion: .list(RunOptions.modes))
  var mode: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Give scripts a value, which they read as params.NAME; may be repeated.", valueName: "name=value"))
  var param: [String] = []

  @Flag(name: .customLong("require-clean"), help: "Fail where changes are left unsaved.")
  var requireClean = false

  @Flag(help: "Print results as lines of JSON: --mode ndjson.")
  var json = false

  @Flag(help: "Say at the end which lines took how long, and with how many queries.")
  var profile = false

  @OptionGroup var limits: LimitOptions

  @Option(help: "Colour: \(RunOptions.colors.joined(separator: ", ")).", completion: .list(RunOptions.colors))
  var color: String?

  @Flag(name: .customLong("no-init"), help: "Do not run the init file.")
  var noInit = false

  @Flag(name: .customLong("plain-editor"), help: "Leave the typed line to readline: no colours, a line at a time.")
  var plainEditor = false

  @OptionGroup var messages: MessageOptions

  /// Reads the command line and runs what it asks for.
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    StandardInput.limitTime(seconds: CommandLineReader.timeLimit(in: words))
    let line = CommandLineReader(words) { commandNames }
    if let words = line.command { run(words) }
    writeCompletion(line.options)
    if let name = line.store, !line.options.contains("--create"),
      let command = FileArgument.misspelt(name, among: commandNames)
    {
      exit(
        withError: ValidationError(
          "there is no command '\(name)'; did you mean '\(command)'? A store of that name would be ./\(name)"))
    }
    if let run = line.plainRun { Glibc.exit(run.run()) }
    do {
      var command = try parseAsRoot(line.options)
      guard let perilune = command as? Perilune else {
        try command.run()
        return
      }
      Glibc.exit(line.completed(perilune.scriptRun).run())
    } catch {
      exit(self, error)
    }
  }

  /// Ends with the message of an error in the command line, without its passwords.
  private static func exit(_ command: any ParsableCommand.Type, _ error: any Error) -> Never {
    let message = command.fullMessage(for: error)
    let shown = PasswordFilter.filtered(message)
    if shown == message { command.exit(withError: error) }
    FileHandle.standardError.write(Data((shown + "\n").utf8))
    Glibc.exit(command.exitCode(for: error).rawValue)
  }

  /// The commands without the program's own names of files, among which the parser would count theirs.
  private struct CommandNames: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "perilune", subcommands: Perilune.configuration.subcommands)
  }

  /// Writes the completion of a shell and ends, where options ask for it: ArgumentParser's own scripts offer no command.
  private static func writeCompletion(_ options: [String]) {
    let option = "--generate-completion-script"
    guard let index = options.firstIndex(where: { $0 == option || $0.hasPrefix(option + "=") }) else { return }
    let following = options.indices.contains(index + 1) ? options[index + 1] : ""
    let shell = options[index] == option ? following : String(options[index].dropFirst(option.count + 1))
    guard let text = manual.completion(of: shell) else {
      let shells = manual.shells.joined(separator: ", ")
      exit(withError: ValidationError("\(option): expected one of \(shells), got \"\(shell)\""))
    }
    print(text, terminator: "")
    Glibc.exit(0)
  }

  /// Runs a command.
  private static func run(_ words: [String]) -> Never {
    do {
      var command = try CommandNames.parseAsRoot(words)
      try command.run()
      Glibc.exit(0)
    } catch {
      exit(CommandNames.self, error)
    }
  }

  func validate() throws {
    try expect("--mode", mode, among: RunOptions.modes)
    try expect("--color", color, among: RunOptions.colors)
    try expect("--from", from, among: ScriptRun.dataFormats)
    try expect(parameters: param)
    if json, mode != nil { throw ValidationError("--json and --mode exclude each other: --json is --mode ndjson") }
    if readOnly && write { throw ValidationError("--read-only and --write exclude each other") }
    if readOnly && migrate { throw ValidationError("--read-only and --migrate exclude each other") }
    if migrate && model == nil { throw ValidationError("--migrate is of no use without --model") }
    if readOnly && create { throw ValidationError("--read-only and --create exclude each other") }
  }

  /// The manual page and the completions, from the definitions above.
  static var manual: Manual { Manual(usage: configuration.usage ?? "", definitions: _dumpHelp()) }

  private var scriptRun: ScriptRun {
    var run = ScriptRun()
    run.options = RunOptions(mode: json ? "ndjson" : mode, color: color, limits, messages)
    (run.store.modelPath, run.store.modelVersion) = (model, schema)
    run.store.createsStore = create
    run.store.isReadOnly = readOnly
    run.store.writesCoreData = write
    run.store.permitsLosses = migrate
    run.store.readsDateTexts = !noTextDates
    run.store.isDryRun = dryRun
    run.dataFormat = from
    run.expressions = execute
    run.parameters = namesAndValues(param)
    run.requiresClean = requireClean
    run.profiles = profile
    run.staysInteractive = interactive
    run.usesPlainEditor = plainEditor
    run.runsInit = !noInit
    return run
  }
}
