internal import FullScreens
internal import Session

// The full screens of functions.
extension EngineSession {
  var screens: Screens {
    Screens(
      canBeShown: { [unowned self] in showsFullScreens },
      watchRows: { [unowned self] in try ownScreens.watch($0, $1, search: $2) },
      watchPlot: { [unowned self] in try ownScreens.watch($0) },
      browse: { [unowned self] in try ownScreens.browse($0, in: $1) },
      browseDifferences: { [unowned self] in _ = try ownScreens.browse($0) },
      repl: { [unowned self] in try ReplFunction(self).run($0) })
  }

  /// The screens on the program's own terminal.
  var ownScreens: SessionScreens { SessionScreens(session) { [surroundings] in ShellTerminal(surroundings) } }

  /// Whether input and output are a terminal that supports full screens.
  var showsFullScreens: Bool { surroundings.showsFullScreens }
}
