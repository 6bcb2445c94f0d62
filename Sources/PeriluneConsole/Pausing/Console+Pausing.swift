internal import Foundation
internal import Modeling
internal import RemoteConsole
internal import Session

extension Console {
  /// Stops here until a client goes on: its prompt has the store, the functions of the program and these values, on this thread.
  ///
  ///     try console.pause("why is this late", ["order": order])
  ///
  /// The prompt is on the terminal, where `useTerminal` of PeriluneConsoleTerminal has given the console one, or else at the first
  /// interactive client of `.full`. `.go` goes on, as does a client that leaves. This returns at once without a terminal and without
  /// such a client, with `allowsPauses` false, and with PERILUNE_PAUSE=0 in the environment.
  ///
  /// - Throws: ConsoleError for a name that Lua does not have, or that is taken.
  public func pause(
    _ reason: String = "", _ values: [String: any ConsoleValue] = [:], file: String = #fileID, line: Int = #line
  ) throws {
    guard allowsPauses, ProcessInfo.processInfo.environment["PERILUNE_PAUSE"] != "0" else { return }
    guard opensTerminal != nil || pauses.hasClients else { return }
    let names = values.isEmpty ? "" : " (\(values.keys.sorted().joined(separator: ", ")))"
    let pause = Pause("\(file):\(line)" + (reason.isEmpty ? "" : ": \(reason)") + names)
    let script = try running()
    try script.pausing(pause, values) {
      let terminal = opensTerminal.flatMap { TerminalPrompt(pause, terminalSettings, $0) }
      defer { terminal?.close() }
      if terminal == nil { pauses.begin(pause) }
      defer {
        pauses.end()
        pause.release()
      }
      guard let visitor = waitForVisitor(pause, hasTerminal: terminal != nil) else { return }
      script.serve(AttachedClient(visitor.attachment, visitor.hello), visitor.settings, pause)
    }
  }

  /// Waits for a client that takes the prompt; nil if all have left.
  private func waitForVisitor(_ pause: Pause, hasTerminal: Bool) -> Pause.Visitor? {
    while !pause.isOver, hasTerminal || pauses.hasClients {
      if let visitor = pause.visitor { return visitor }
      _ = DescriptorWait.wait(for: [pause.waker.descriptor], seconds: 1)
      pause.waker.drain()
    }
    return pause.visitor
  }
}

/// The prompt of a pause on the terminal of the program: a client within the process, on a thread of its own.
private final class TerminalPrompt {
  private let loop: ListenerLoop
  private let ended = WakePipe()

  /// Opens the prompt; nil if the system has no more descriptors.
  init?(_ pause: Pause, _ settings: ListenerSettings, _ open: @escaping @Sendable (_ descriptor: Int32) -> Void) {
    guard let (inner, outer) = ConsoleSocket.pair() else { return nil }
    var settings = settings
    settings.pause = pause
    loop = ListenerLoop(connected: inner, settings)
    loop.start()
    let thread = Thread { [ended] in
      open(outer)
      pause.isOver = true
      ended.wake()
    }
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Returns once the terminal is the program's again.
  func close() {
    ended.wait()
    loop.close()
  }
}
