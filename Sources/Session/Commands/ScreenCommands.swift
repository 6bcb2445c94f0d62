/// The commands that need a screen, or a person who types, and which a client adds that has these.
enum ScreenCommands {
  private static let summaries: KeyValuePairs = [
    "history": "the blocks that were entered before", "once": "write what the next block shows to a file",
    "output": "write what follows to a file", "pager": "what shows texts that are longer than the window",
    "plots": "how plots are drawn on a terminal", "predicate": "type a predicate and see at once what fulfils it",
    "tee": "write what follows to a file, too",
  ]

  /// Commands of these names that say what they need.
  static var missing: [Command] {
    summaries.map { name, summary in
      Command(name: name, arguments: "", summary: summary + "; needs a terminal", takesText: true, inSandbox: .allowed)
      {
        _ throws(CommandFailure) in throw .needsTerminal(name)
      }
    }
  }
}
