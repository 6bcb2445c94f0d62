internal import AppleModels
internal import Glibc
internal import Modeling
internal import SwiftReading

/// The files of a program below folders, and the models among them.
///
/// Hidden folders and those of packages that others wrote (`Pods`, `Carthage`, `node_modules`) and of builds are left out.
/// Links to folders are not followed. O(files), and O(bytes) of Swift files.
package struct SourceTree: Sendable {
  /// The Swift files, in the order of their paths.
  package private(set) var swiftFiles: [String] = []
  /// The Lua files, in the order of their paths.
  package private(set) var luaFiles: [String] = []
  /// The models of Core Data: `.xcdatamodeld`, and `.xcdatamodel` outside of such.
  package private(set) var modelFolders: [String] = []

  private static let others: Set<String> = ["Pods", "Carthage", "DerivedData", "node_modules", "SourcePackages"]
  private static let mostDepth = 60

  /// The files below a folder.
  package init(_ folder: String) {
    visit(folder, depth: 0)
    swiftFiles.sort()
    luaFiles.sort()
    modelFolders.sort()
  }

  private mutating func visit(_ folder: String, depth: Int) {
    guard depth < Self.mostDepth, let listing = opendir(folder) else { return }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix("."), !Self.others.contains(name) else { continue }
      let path = folder == "." ? name : FilePath.file(name, in: folder)
      if name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel") {
        modelFolders.append(path)
      } else if Self.isFolder(path, entry.pointee.d_type) {
        visit(path, depth: depth + 1)
      } else if name.hasSuffix(".swift") {
        swiftFiles.append(path)
      } else if name.hasSuffix(".lua") {
        luaFiles.append(path)
      }
    }
  }

  private static func isFolder(_ path: String, _ type: UInt8) -> Bool {
    if type != UInt8(DT_UNKNOWN) { return type == UInt8(DT_DIR) }
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether there is a folder at a path.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// The models that a program declares.
package struct ProjectModels: Sendable {
  /// The models.
  package private(set) var models: [SourceModel] = []
  /// The paths of models that could not be read.
  package private(set) var unread: [String] = []

  /// The models of Core Data in folders, in their current versions, and those of the `@Model` classes in texts.
  package init(_ modelFolders: [String], _ texts: [String]) {
    for path in modelFolders {
      if let read = try? AppleModel(path: path) {
        models.append(SourceModel(read.model, isSwiftData: false))
      } else {
        unread.append(path)
      }
    }
    if !texts.isEmpty {
      models += SwiftDataModel.models(in: texts).map { SourceModel($0, isSwiftData: true) }
    }
  }
}
