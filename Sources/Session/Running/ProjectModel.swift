internal import Glibc
internal import LuaBindings

/// The model of the project that a script or a spec belongs to, as `perilune init` begins one.
package enum ProjectModel {
  /// The name of its file.
  private static let name = "model.lua"

  /// The nearest `model.lua`: in the folder of a file, or in one above it as far as the file's name leads.
  ///
  /// Files above the current folder are not the project's: any user may put a file into /tmp.
  package static func path(of file: String) -> String? {
    var folder = file[...]
    if let current = realpath(".", nil) {
      let prefix = String(cString: current) + "/"
      if folder.hasPrefix(prefix) { folder.removeFirst(prefix.count) }
      free(current)
    }
    let isOutside = folder.hasPrefix("/")
    while !folder.isEmpty {
      folder = folder.lastIndex(of: "/").map { folder[...$0] } ?? ""
      let path = String(folder) + name
      if isReadable(path) { return path }
      guard !isOutside, !folder.hasSuffix("../") else { return nil }
      folder = folder.dropLast()
    }
    return nil
  }
}
