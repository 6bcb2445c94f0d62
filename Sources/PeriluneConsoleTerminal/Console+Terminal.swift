public import PeriluneConsole
internal import Shell

extension Console {
  /// Has `pause` open its prompt on the terminal of the process, by readline, where the process has one.
  ///
  /// The handlers of signals and the modes of the terminal are those of the program again when it goes on.
  public func useTerminal() {
    guard ProgramPrompt.hasTerminal else { return }
    opensTerminal = { ProgramPrompt.run(over: $0) }
  }
}
