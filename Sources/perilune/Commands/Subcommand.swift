internal import ArgumentParser
internal import Glibc
internal import Session
internal import Shell

/// A command of perilune beside running scripts; its options are defined here alone, for help, completions and the manual page.
///
/// To add one, write it in a file of its own and list it in `Perilune.configuration`.
protocol Subcommand: ParsableCommand {
  associatedtype Run: ProgramRun

  /// What it asks for.
  var programRun: Run { get }
}

extension Subcommand {
  func run() throws { Glibc.exit(programRun.run()) }
}

/// Options that each command takes.
struct CommonOptions: ParsableArguments {
  @Option(help: "Colour: \(RunOptions.colors.joined(separator: ", ")).", completion: .list(RunOptions.colors))
  var color: String?

  @OptionGroup var limits: LimitOptions

  @OptionGroup var messages: MessageOptions

  func validate() throws { try expect("--color", color, among: RunOptions.colors) }

  var options: RunOptions { options(mode: nil) }

  func options(mode: String?) -> RunOptions { RunOptions(mode: mode, color: color, limits, messages) }
}

/// The limits of scripts.
struct LimitOptions: ParsableArguments {
  @Option(help: "End scripts after so many seconds, and what does not end five seconds later.")
  var timeout: Double?

  @Option(
    name: .customLong("memory-limit"),
    help: "The most memory that scripts may add to the process, in MB: Lua, SQLite, objects.")
  var memoryLimit: Int?

  @Flag(help: "Keep scripts to the store: no other files, no processes, no settings of SQLite, no bytecode.")
  var sandbox = false

  func validate() throws {
    if let timeout, !(timeout > 0) {
      throw ValidationError("--timeout: expected a number of seconds above 0, got \(timeout)")
    }
    if let memoryLimit, !(1...1_000_000).contains(memoryLimit) {
      throw ValidationError("--memory-limit: expected a number of MB from 1 to 1000000, got \(memoryLimit)")
    }
  }
}

/// The messages besides results.
struct MessageOptions: ParsableArguments {
  @Flag(help: "Show the calls that led to an error.")
  var trace = false

  @Flag(name: .shortAndLong, help: "No banner and no notes.")
  var quiet = false
}

extension RunOptions {
  init(mode: String?, color: String?, _ limits: LimitOptions, _ messages: MessageOptions) {
    self.init()
    (self.mode, self.color) = (mode, color)
    (timeout, memoryLimit) = (limits.timeout, limits.memoryLimit.map { $0 << 20 })
    isSandboxed = limits.sandbox
    (showsTraces, isQuiet) = (messages.trace, messages.quiet)
  }
}

/// How what a command finds is shown.
struct ResultOptions: ParsableArguments {
  @Flag(help: "Show it as JSON, an object for each part: --mode json.")
  var json = false

  @Option(
    help: "How it is shown: json, ndjson, or as text in all other modes.", completion: .list(RunOptions.modes))
  var mode: String?

  func validate() throws { try expect("--mode", mode, among: RunOptions.modes) }

  /// The mode of both.
  var text: String? { json ? "json" : mode }
}

/// A store, or a model in place of it.
struct ModelArguments: ParsableArguments {
  @Argument(help: "A store, or a file of a model.", completion: .file())
  var store: String?

  @Option(
    help: "A model for the store: a Lua or Swift file, or a .xcdatamodeld, .xcdatamodel, .momd or .mom.",
    completion: .file())
  var model: String?

  /// Throws unless there is one of them.
  func expect(usage: String) throws {
    guard store == nil, model == nil else { return }
    throw ValidationError("expected a store or a model: \(usage)")
  }

  /// Whether there is a store.
  var isStore: Bool { store.map { model != nil || !FileArgument.isModel($0) } == true }

  /// The store or the model, which is only read.
  func access(version: String? = nil) -> StoreAccess {
    if let store, model == nil, FileArgument.isModel(store) {
      return StoreAccess(reading: nil, modelPath: store, modelVersion: version)
    }
    return StoreAccess(reading: store, modelPath: model, modelVersion: version)
  }
}

extension StoreAccess {
  /// Access to what is checked against: `--model` takes a store, too, whose model it is.
  init(store: String?, model: String?, version: String?) {
    let isStore = store == nil && model.map { !FileArgument.isModel($0) && !$0.hasSuffix(".lua") } == true
    self.init(reading: isStore ? model : store, modelPath: isStore ? nil : model, modelVersion: version)
  }
}

/// The names in a text, with commas between.
func list(_ text: String?) -> [String] {
  (text ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }
}

/// Refuses a value of an option that is not one of some words.
func expect(_ option: String, _ value: String?, among words: [String]) throws {
  guard let value, !words.contains(value) else { return }
  throw ValidationError("\(option): expected one of \(words.joined(separator: ", ")), got \"\(value)\"")
}

/// Refuses parameters that are not `name=value`, or that are given twice.
func expect(parameters: [String]) throws {
  for text in parameters where (text.firstIndex(of: "=") ?? text.startIndex) == text.startIndex {
    throw ValidationError("--param: expected name=value, got \"\(text)\"")
  }
  let names = parameters.map { $0.prefix { $0 != "=" } }
  if let twice = names.enumerated().first(where: { names[..<$0].contains($1) })?.element {
    throw ValidationError("--param: '\(twice)' is given twice")
  }
}

/// The names and the values of parameters.
func namesAndValues(_ parameters: [String]) -> [(name: String, value: String)] {
  parameters.map { text in
    (name: String(text.prefix { $0 != "=" }), value: String(text.drop { $0 != "=" }.dropFirst()))
  }
}
