internal import Glibc
internal import LuaBindings
package import Modeling
internal import Stores

// The model of the project that a script or a spec belongs to, as `perilune init` begins one.
extension Session {
  /// The model that the nearest `model.lua` gives; nil if there is none, or one that gives no model.
  package func projectModel(of file: String) throws -> Model? {
    guard let path = Self.projectModelPath(of: file) else { return nil }
    do { return try loadModel(path) } catch is ModelMissing { return nil }
  }

  /// Opens an empty store in memory with a model.
  package func open(_ model: Model) throws {
    var options = StoreOptions(path: ":memory:")
    (options.create, options.model) = (true, model)
    try engine.open(options)
  }

  /// The name of the file of a project's model.
  package static let projectModelName = "model.lua"

  /// The nearest `model.lua`: in the folder of a file, or in one above it as far as the file's name leads.
  ///
  /// Files above the current folder are not the project's: any user may put a file into /tmp.
  static func projectModelPath(of file: String) -> String? {
    var folder = file[...]
    if let current = realpath(".", nil) {
      let prefix = String(cString: current) + "/"
      if folder.hasPrefix(prefix) { folder.removeFirst(prefix.count) }
      free(current)
    }
    let isOutside = folder.hasPrefix("/")
    while !folder.isEmpty {
      folder = folder.lastIndex(of: "/").map { folder[...$0] } ?? ""
      let path = String(folder) + Self.projectModelName
      if isReadable(path) { return path }
      guard !isOutside, !folder.hasSuffix("../") else { return nil }
      folder = folder.dropLast()
    }
    return nil
  }
}
