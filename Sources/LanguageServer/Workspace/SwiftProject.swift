internal import Session
internal import SourceChecking

/// The models of a folder with Swift files: those of Core Data, and the `@Model` classes.
struct SwiftProject {
  let modelFolders: [String]
  /// The texts with classes of models, by their paths.
  private(set) var texts: [String: String] = [:]
  private(set) var models: [SourceModel] = []

  init(_ tree: SourceTree) {
    modelFolders = tree.modelFolders
    for path in tree.swiftFiles {
      guard let bytes = try? readFile(path), SourceWords(bytes).hasModel else { continue }
      texts[path] = String(decoding: bytes, as: UTF8.self)
    }
    read()
  }

  /// Takes the text of an open document in place of that of its file.
  mutating func take(_ document: TextDocument) {
    let text = SourceWords(document.bytes).hasModel ? document.text : nil
    let path = document.path ?? document.uri
    guard texts[path] != text else { return }
    texts[path] = text
    read()
  }

  private mutating func read() {
    models = ProjectModels(modelFolders, texts.sorted { $0.key < $1.key }.map(\.value)).models
  }

  var checker: SourceChecker { SourceChecker(models) }
}
