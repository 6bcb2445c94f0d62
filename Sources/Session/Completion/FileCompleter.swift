internal import Glibc
package import Presentation

/// Completes the names of files, as a shell does: a folder ends with `/`, and `~/` becomes the home folder.
package struct FileCompleter {
  /// The home folder.
  var home = getenv("HOME").map { String(cString: $0) }

  /// The most names that are offered.
  private static let most = 1000

  /// Completions for a path that is being typed.
  ///
  /// Files whose names begin with a point are offered behind a point only.
  package func completions(_ path: String) -> Completions {
    let typed = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let beginning = path.dropFirst(typed.count)
    let folder = expanded(typed)
    let isExpanded = folder != typed
    let start = isExpanded ? 0 : typed.utf8.count
    guard let listing = opendir(folder.isEmpty ? "." : folder) else { return Completions(start: start) }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing), names.count < Self.most {
      guard let name = Self.name(of: entry), name.hasPrefix(beginning), name != ".", name != ".." else { continue }
      if name.first == ".", beginning.first != "." { continue }
      // A line cannot hold a control character, and a terminal would obey it.
      if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) { continue }
      names.append((isExpanded ? folder : "") + name + (isFolder(folder + name) ? "/" : ""))
    }
    return Completions(start: start, candidates: names.sorted().map { Completions.Candidate($0) })
  }

  /// The name of an entry; nil if it is not UTF-8.
  private static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
    withUnsafePointer(to: &entry.pointee.d_name) { name in
      name.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
    }
  }

  private func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home else { return path }
    return home + path.dropFirst()
  }
}
