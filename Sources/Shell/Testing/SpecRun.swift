internal import Glibc
internal import LuaBindings
internal import Presentation
internal import Session

/// `perilune test`: runs specs, each test in a Lua of its own, on a store in memory of its own.
///
/// A file is run once to learn which tests it has, and once more for each of them: nothing that a test leaves, in the store or in
/// globals, reaches the next one.
package struct SpecRun: ProgramRun {
  package var options: RunOptions
  /// The specs, and folders of specs.
  let paths: [String]
  /// The file of the model of the tests' stores; nil for that of each spec's project.
  package var modelPath: String?
  /// The name of the version to read of a model that has several.
  package var modelVersion: String?
  /// The text in the names of the tests that are run; nil for all.
  package var filter: String?
  /// Whether the results are written as TAP.
  package var writesTAP = false
  /// The file that the results are written to as JUnit's XML.
  package var junitPath: String?

  package init(_ paths: [String], _ options: RunOptions) { (self.paths, self.options) = (paths, options) }

  package func run(in surroundings: Surroundings) -> Int32 { SpecRunner(self, surroundings).run() }

  /// The files of the specs, in the order of the paths, those of a folder by name.
  func files() throws -> [String] { try paths.flatMap { try Self.specs(in: $0) } }

  /// The specs of a name: a file, or the specs of a folder and its subfolders, by name.
  private static func specs(in path: String) throws -> [String] {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileFailure(path: path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { return [path] }
    guard let folder = opendir(path) else { throw FileFailure(path: path, errno: errno) }
    defer { closedir(folder) }
    var found: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix(".") else { continue }
      let whole = path.hasSuffix("/") ? path + name : path + "/" + name
      var status = stat()
      // A link to a folder could lead round in a circle.
      guard lstat(whole, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        found += try specs(in: whole)
      } else if name.hasSuffix("_spec.lua") {
        found.append(whole)
      }
    }
    return found.sorted()
  }
}
