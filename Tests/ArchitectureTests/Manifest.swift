import Foundation

/// The targets that Package.swift declares under Sources, in its order, with the modules that each may import.
struct Manifest {
  struct Target {
    var name: String
    /// Names of targets and of modules from other packages.
    var dependencies: [String]
    var isSystemLibrary: Bool
  }

  var targets: [Target] = []
  /// Modules of other packages, by the constant that stands for them: `argumentParser` is "ArgumentParser".
  var outsideModules: [String: String] = [:]

  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  init() throws {
    let text = try String(contentsOf: Manifest.root.appending(path: "Package.swift"), encoding: .utf8)
    for match in text.matches(of: /let (\w+) = Target\.Dependency\.product\(name: "(\w+)"/) {
      outsideModules[String(match.1)] = String(match.2)
    }
    let declaration =
      /(layer|\.target|\.executableTarget|\.systemLibrary)\(\s*(?:name: )?"(\w+)"(?:,\s*(?:dependencies: )?\[([^\]]*)\])?/
    for match in text.matches(of: declaration) {
      let listed = match.1 == ".systemLibrary" ? "" : match.3 ?? ""
      targets.append(
        Target(
          name: String(match.2), dependencies: dependencies(in: listed), isSystemLibrary: match.1 == ".systemLibrary"))
    }
  }

  /// Reads `"Shell", argumentParser`.
  private func dependencies(in list: Substring) -> [String] {
    list.split(separator: ",").map { item in
      let word = item.trimmingCharacters(in: .whitespacesAndNewlines)
      return outsideModules[word] ?? word.trimmingCharacters(in: ["\""])
    }
    .filter { !$0.isEmpty }
  }

  /// The targets that are ours to write: all but the system libraries.
  var layers: [Target] { targets.filter { !$0.isSystemLibrary } }

  subscript(name: String) -> Target? { targets.first { $0.name == name } }
}
