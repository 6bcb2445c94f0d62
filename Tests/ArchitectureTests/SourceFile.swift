import Foundation

/// A Swift or C file under Sources and the modules it imports.
struct SourceFile {
  var target: String
  var name: String
  var imports: Set<String>

  /// Every source file of the package.
  static func all() throws -> [SourceFile] {
    let sources = Manifest.root.appending(path: "Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    return try paths.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") || $0.hasSuffix(".h") }.map { path in
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      let parts = path.split(separator: "/")
      return SourceFile(target: String(parts[0]), name: String(parts[parts.count - 1]), imports: imports(in: text))
    }
  }

  /// The names and texts of all sources, or of those of a target.
  static func texts(of target: String? = nil) throws -> [(name: String, text: String)] {
    let sources = Manifest.root.appending(path: "Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    return try paths.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") || $0.hasSuffix(".h") }
      .filter { path in target.map { path.hasPrefix($0 + "/") } ?? true }
      .map { path in
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return (name, try String(contentsOf: sources.appending(path: path), encoding: .utf8))
      }
  }

  private static func imports(in text: String) -> Set<String> {
    let statement =
      /(?m)^[ \t]*(?:@\w+(?:\([^)]*\))?[ \t]+)*(?:(?:public|package|internal|fileprivate|private)[ \t]+)?import[ \t]+(?:(?:struct|class|enum|protocol|typealias|func|let|var)[ \t]+)?(\w+)/
    var modules = Set(text.matches(of: statement).map { String($0.1) })
    for match in text.matches(of: /(?m)^[ \t]*#[ \t]*include[ \t]+[<"]([^>"]+)[>"]/) {
      if let module = systemLibrary(ofHeader: String(match.1)) { modules.insert(module) }
    }
    return modules
  }

  /// C files reach an outside library by its header.
  private static func systemLibrary(ofHeader header: String) -> String? {
    let name = header.split(separator: "/").last.map(String.init) ?? header
    if ["lua.h", "lauxlib.h", "lualib.h", "luaconf.h"].contains(name) { return "CLua" }
    if name == "sqlite3.h" { return "CSQLite" }
    if name == "zlib.h" { return "CZlib" }
    if name == "utf8proc.h" { return "CUTF8Proc" }
    return header.hasPrefix("readline/") ? "CReadline" : nil
  }
}
