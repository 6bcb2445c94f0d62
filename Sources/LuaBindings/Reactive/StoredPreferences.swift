internal import Reactive

/// The stored preferences of scripts, which follow the changes of other processes once a script uses them.
final class StoredPreferences {
  /// The engine, which holds the preferences.
  unowned(unsafe) var engine: Engine!
  /// The stored preferences.
  let file: PreferenceFile
  /// Preferences for stores in memory, which are not stored.
  let passing = PreferenceFile(path: nil)
  /// The tokens by which they follow other processes, once they do.
  private var tokens: [Reactive.ObservationToken] = []

  init(_ options: Engine.Options) {
    file = PreferenceFile(
      path: options.isSandboxed ? nil : options.preferencePath, keepsChanges: !options.isDryRun)
    // They are written once per turn, and when the engine closes.
    file.writesAtOnce = false
  }

  func save() { file.save() }

  /// Makes them follow the changes of other processes from now on: at the beginning of each turn, and while a loop waits.
  func follow() {
    guard tokens.isEmpty, let folder = file.folder else { return }
    let events = FolderEvents(folder)
    tokens = [
      engine.turn.addPreparation { [unowned self] in if engine.turn.round == 0 { file.refresh() } },
      engine.loop.add(
        LoopSource(
          descriptor: { [file] in file.isFollowed ? events.descriptor : nil },
          interval: { [file] in file.isFollowed ? events.pollInterval : nil },
          run: { events.drain() })),
    ]
  }
}
