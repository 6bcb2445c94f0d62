internal import Glibc

/// What a command line asks for, and the running of it.
///
///     var launch = Launch()
///     launch.storePath = "quakes.sqlite"
///     launch.expressions = ["Quake:count()"]
///     Launch.exit(with: launch.run())
public struct Launch {
  /// The file of the store; a new one in memory if nothing else asks for none.
  public var storePath: String?
  /// The file of a script; `-` is standard input.
  public var scriptPath: String?
  /// What the script finds in `arg` and `...`.
  public var scriptArguments: [String] = []
  /// What to evaluate before the script, in order.
  public var expressions: [String] = []
  /// Whether the prompt follows the script.
  public var staysInteractive = false
  /// The file that describes the store's model.
  public var modelPath: String?
  /// Whether a store that is not there is made.
  public var createsStore = false
  /// Whether every write is refused.
  public var isReadOnly = false
  /// Whether a Core Data store is opened writable.
  public var isWritable = false
  /// Whether what was written is shown at the end, and taken back.
  public var isDryRun = false
  /// One of `modes`.
  public var mode: String?
  /// One of `colors`.
  public var color: String?
  /// How many seconds scripts may run.
  public var timeout: Double?
  /// How many bytes scripts may take.
  public var memoryLimit: Int?
  /// Whether scripts have no files, processes and environment.
  public var isSandboxed = false
  /// Whether the prompt begins with the init file.
  public var runsInit = true
  /// Whether the store is only examined.
  public var examinesStore = false
  /// Whether there is no banner.
  public var isQuiet = false

  /// Asks for a prompt on a new store in memory.
  public init() {}

  /// The words that `mode` may be.
  public static let modes = OutputMode.allCases.map(\.rawValue)
  /// The words that `color` may be.
  public static let colors = ColorWhen.allCases.map(\.rawValue)

  /// What a name on the command line stands for.
  public enum Argument {
    case store, script
    /// A word that is kept for a command of a later version.
    case reserved
    /// The word before a store that is to be examined.
    case doctor
  }

  /// Tells stores from scripts, by their names and by what they hold.
  public static func argument(_ name: String) -> Argument {
    switch FileArgument(name) {
    case .store: .store
    case .script: .script
    case .reserved: .reserved
    case .doctor: .doctor
    }
  }

  /// Does everything that was asked for, and returns the status to exit with.
  public func run() -> Int32 {
    let surroundings = Surroundings(color: color.flatMap(ColorWhen.init(rawValue:)) ?? .auto)
    TerminalSignals.install([.interrupt])
    BrokenPipe.install()
    CutFile.install()
    let program = Program(self, surroundings)
    let status = program.run()
    surroundings.flushOutput()
    if BrokenPipe.hasHappened { return ExitStatus.brokenPipe }
    guard status == 0, let failure = surroundings.outputFailure else { return status }
    return surroundings.fail(failure.report.message, failure.exitStatus)
  }

  /// Ends the process.
  public static func exit(with status: Int32) -> Never { Glibc.exit(status) }
}
