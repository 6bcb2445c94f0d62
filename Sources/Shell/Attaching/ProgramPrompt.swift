internal import Glibc
internal import Synchronization
internal import Terminal

/// The prompt on the terminal of a program, over connections within its process, one after the other.
package final class ProgramPrompt {
  private let surroundings = Surroundings(color: .auto)
  private let run: AttachRun
  private var remote: RemoteSession?
  private var editor: ReadlineEditor!

  /// The only one, as readline serves one editor in a process.
  private static let shared = Mutex<ProgramPrompt?>(nil)

  private init() {
    var options = RunOptions()
    options.isQuiet = true
    // The history is that of the program.
    run = AttachRun("/proc/self/exe", reason: nil, options)
    surroundings.watchTerminal(ofProgram: true)
    editor = AttachRun.editor(surroundings, run.history(surroundings)) { [unowned self] in remote }
  }

  /// Whether the process has a terminal for a prompt.
  package static var hasTerminal: Bool { isatty(0) == 1 && (isatty(1) == 1 || isatty(2) == 1) }

  /// Runs the prompt of a connection until it ends, and closes the connection.
  package static func run(over descriptor: Int32) {
    shared.withLock { prompt in
      let own = prompt ?? ProgramPrompt()
      prompt = own
      own.run(over: descriptor)
    }
  }

  private func run(over descriptor: Int32) {
    TerminalSignals.install([.interrupt])
    defer {
      remote = nil
      surroundings.flushOutput()
      TerminalSignals.uninstall([.interrupt])
    }
    guard let made = try? RemoteSession(descriptor, "", surroundings, mode: nil) else { return }
    remote = made
    _ = run.prompt(made, surroundings, editor)
  }
}
