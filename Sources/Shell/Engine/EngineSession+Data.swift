internal import LuaBindings
internal import Modeling
internal import Presentation

extension EngineSession {
  /// Opens a store in memory with the rows of data files, of which `path` is the first, and returns the status.
  func openData(_ files: [DataFile], path: String?) -> Int32 {
    dataPath = path
    dataName = files.first.map { $0.label == $0.path ? FilePath.stem(of: $0.path) : "rows" }
    return guarding {
      tellsNewEntities = true
      defer { tellsNewEntities = false }
      try engine.open(files)
      dryRun?.beginAgain()
    }
  }

  /// Reports the entities that are made for data files: at the prompt, and for files of the command line.
  func tellNewEntities() {
    engine.onNewEntity = { [unowned self] entity in
      guard isAtPrompt || tellsNewEntities, !options.isQuiet else { return }
      let sentence = entity.sentence(arrow: surroundings.charset == .ascii ? "->" : "→")
      // Names come from the file.
      let text = DisplayText.picturingControls(in: sentence, surroundings.charset)
      surroundings.say(surroundings.wrapped(surroundings.messageStyle(.note, text)) + "\n")
    }
  }
}
