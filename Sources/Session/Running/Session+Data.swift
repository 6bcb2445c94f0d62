package import LuaBindings
internal import Modeling
internal import Presentation

extension Session {
  /// Opens a store in memory with the rows of data files, of which `path` is the first, and returns the status.
  package func openData(_ files: [DataFile], path: String?) -> Int32 {
    dataPath = path
    dataName = files.first.map { $0.label == $0.path ? FilePath.stem(of: $0.path) : "rows" }
    return guarding {
      tellsNewEntities = true
      defer { tellsNewEntities = false }
      try engine.open(files)
      dryRun?.beginAgain()
    }
  }

  /// Reports an entity that is made for a data file: at the prompt, and for files of the command line.
  func tellNewEntity(_ entity: ImportedEntity) {
    guard isAtPrompt || tellsNewEntities, !options.isQuiet else { return }
    let sentence = entity.sentence(arrow: layout.charset == .ascii ? "->" : "→")
    tell(Remark(.entity, sentence))
  }
}
