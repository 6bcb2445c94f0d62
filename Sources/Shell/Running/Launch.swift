internal import Glibc
internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Terminal

/// A parsed command line, which runs perilune.
///
///     var launch = Launch()
///     launch.storePath = "quakes.sqlite"
///     launch.expressions = ["Quake:count()"]
///     Launch.exit(with: launch.run())
public struct Launch {
  /// The store's file; nil for a new store in memory.
  public var storePath: String?
  /// The files of rows of which a store in memory is made; `-` is standard input.
  public var dataPaths: [String] = []
  /// The format of those whose name does not say it; one of `dataFormats`.
  public var dataFormat: String?
  /// The script's file; `-` is standard input.
  public var scriptPath: String?
  /// The script's arguments, in `arg` and `...`.
  public var scriptArguments: [String] = []
  /// What scripts read as `params.name`, in order.
  public var parameters: [(name: String, value: String)] = []
  /// Whether changes that are left unsaved fail the run.
  public var requiresClean = false
  /// Whether the run ends with what each line has cost.
  public var profiles = false
  /// The expressions to evaluate before the script, in order.
  public var expressions: [String] = []
  /// Whether the prompt follows the script.
  public var staysInteractive = false
  /// The file of the store's model.
  public var modelPath: String?
  /// The name of the version to read of a model that has several.
  public var modelVersion: String?
  /// Whether a missing store is created.
  public var createsStore = false
  /// Whether every write is refused.
  public var isReadOnly = false
  /// Whether dates that files made elsewhere keep as text are read as dates.
  public var readsDateTexts = true
  /// Whether a Core Data store is opened writable.
  public var isWritable = false
  /// Whether a migration to the model may lose what the model has no place for.
  public var permitsLosses = false
  /// Whether writes are shown at the end and rolled back.
  public var isDryRun = false
  /// One of `modes`.
  public var mode: String?
  /// One of `colors`.
  public var color: String?
  /// The time limit of scripts, in seconds.
  public var timeout: Double?
  /// The memory limit of scripts, in bytes.
  public var memoryLimit: Int?
  /// Whether scripts run without access to files, processes and the environment.
  public var isSandboxed = false
  /// Whether the prompt is readline's own, without colours and a line at a time.
  public var usesPlainEditor = false
  /// Whether the prompt begins with the init file.
  public var runsInit = true
  /// Whether the store is only examined.
  public var examinesStore = false
  /// The scripts in which mistakes are looked for, instead of anything else.
  public var checkedPaths: [String] = []
  /// The file of Swift whose view of rows is watched, instead of anything else.
  public var watchedView: String?
  /// The specs, and folders of specs, that are run instead of anything else.
  public var testedPaths: [String] = []
  /// The text in the names of the tests that are run; nil for all.
  public var testFilter: String?
  /// Whether the results of tests are written as TAP.
  public var writesTAP = false
  /// The file that the results of tests are written to as JUnit's XML.
  public var junitPath: String?
  /// Whether every error is followed by the calls that led to it.
  public var showsTraces = false
  /// The form in which the types of the store are written, instead of anything else.
  public var typesForm: TypesForm?
  /// The form in which the model is written for people, instead of anything else.
  public var documentForm: DocumentForm?
  /// The folder that a new project is put into, instead of anything else.
  public var projectFolder: String?
  /// The name of the schema in what is written; nil for one by the store's name.
  public var schemaName: String?
  /// Whether there is no banner.
  public var isQuiet = false

  /// Creates a launch that opens a prompt on a new store in memory.
  public init() {}

  /// The permitted values of `mode`.
  public static let modes = OutputMode.allCases.map(\.rawValue)
  /// The permitted values of `color`.
  public static let colors = ColorWhen.allCases.map(\.rawValue)

  /// The permitted values of `dataFormat`.
  public static let dataFormats = DataFile.Format.allCases.map(\.rawValue)

  /// The meaning of a name on the command line.
  public enum Argument {
    case store, script
    /// A file of rows.
    case data
  }

  /// A form in which the types of a store are written.
  public enum TypesForm: String, CaseIterable {
    /// LuaCATS annotations, which editors read.
    case lua
    /// Classes over PeriluneKit.
    case swift
  }

  /// A form in which a model is written for people.
  public enum DocumentForm: Equatable {
    /// Markdown, and the diagram as SVG, on standard output.
    case markdown, svg
    /// Both as files, `model.md` and `model.svg`, in a folder.
    case files(folder: String)
  }

  /// Distinguishes stores from scripts by their names and contents.
  public static func argument(_ name: String) -> Argument {
    switch FileArgument(name) {
    case .store: .store
    case .script: .script
    case .data: .data
    }
  }

  /// The command that a name probably means; nil for the name of a file that is there, or one that only a file can have.
  public static func misspelt(_ name: String, among commands: [String]) -> String? {
    guard name.allSatisfy({ $0.isLetter || $0 == "-" || $0 == "_" }), access(name, F_OK) != 0 else { return nil }
    return nearestName(to: name.lowercased(), in: commands)
  }

  /// Whether a file is a model rather than a store, by its name and contents.
  public static func isModel(_ name: String) -> Bool { FileArgument.isModel(name) }

  /// Has the time limit that stands among the words of a command line count from now on: to tell what the words mean,
  /// standard input is read.
  public static func limitTime(_ words: [String]) {
    let option = words.lastIndex { $0 == "--timeout" || $0.hasPrefix("--timeout=") }
    guard let option else { return }
    let value = words[option].split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init)
    let text = value ?? words[(option + 1)...].first ?? ""
    StandardInput.limitTime(seconds: Double(text).flatMap { $0 > 0 ? $0 : nil })
  }

  /// Runs everything, and returns the exit status.
  public func run() -> Int32 {
    let data = dataFiles()
    let surroundings = Surroundings(color: color.flatMap(ColorWhen.init(rawValue:)) ?? .auto)
    TerminalSignals.install([.interrupt])
    BrokenPipe.install()
    CutFile.install()
    let program = Program(self, data, surroundings)
    let status = program.run()
    surroundings.flushOutput()
    if BrokenPipe.hasHappened { return ExitStatus.brokenPipe }
    guard status == 0, let failure = surroundings.outputFailure else { return status }
    return surroundings.fail(failure.report.message, failure.exitStatus)
  }

  /// Ends the process.
  public static func exit(with status: Int32) -> Never { Glibc.exit(status) }

  /// The files of rows. Where standard input is one, the terminal takes its place.
  private func dataFiles() -> [DataFile] {
    let format = dataFormat.flatMap(DataFile.Format.init(rawValue:))
    return dataPaths.map { path in
      guard path == "-", let name = StandardInput.takeAsData() else { return DataFile(path, format: format) }
      let found = format ?? (StandardInput.isJSON() ? .json : .csv)
      StandardInput.continueAtTerminal()
      var file = DataFile(name, format: found)
      (file.label, file.entityName) = ("standard input", "Row")
      return file
    }
  }
}

extension Launch {
  /// The arguments of the program that hold a password, or parts of such arguments, and what is shown of them.
  private static let secrets: [(text: String, shown: String)] = CommandLine.arguments.dropFirst().flatMap { argument in
    [argument, String(argument.drop { $0 != "=" }.dropFirst())].map { ($0, $0.withoutPassword) }.filter { $0.0 != $0.1 }
  }

  /// A message without the passwords in addresses, as the command line gave them or as they are written usually.
  public static func withoutPasswords(_ text: String) -> String {
    secrets.reduce(text) { $0.replacing($1.text, with: $1.shown) }.withoutPasswords
  }
}
