internal import Modeling
internal import SourceChecking

/// The files that `perilune check` is given: by name, or all of a folder.
struct CheckedFiles {
  private(set) var scripts: [String] = []
  private(set) var swiftFiles: [String] = []
  /// The models beside them.
  private(set) var modelFolders: [String] = []

  init(_ paths: [String]) {
    for path in paths {
      if SourceTree.isFolder(path) {
        let tree = SourceTree(path)
        scripts += tree.luaFiles
        swiftFiles += tree.swiftFiles
        modelFolders += tree.modelFolders
      } else if path.hasSuffix(".swift") {
        swiftFiles.append(path)
        modelFolders += SourceTree(FilePath.folder(of: path)).modelFolders
      } else {
        scripts.append(path)
      }
    }
    // A file may be named, and stand in a folder that is, too.
    swiftFiles = Self.once(swiftFiles)
    scripts = Self.once(scripts)
    modelFolders = Self.once(modelFolders)
  }

  private static func once(_ paths: [String]) -> [String] {
    var seen: Set<String> = []
    return paths.filter { seen.insert($0).inserted }
  }
}
