import Glibc
internal import Modeling
package import StoreErrors

/// A database that is made in a folder of its own, and bears its name only once it is complete.
///
///     let new = try NewFile(at: "part.sqlite", rights: FileRights(of: "app.sqlite"))
///     defer { new.discard() }
///     // make the database at new.path, and close it
///     try new.keep()
package struct NewFile {
  /// Where the database is made. Its name is the final one, so that the names of what lies beside it are.
  package let path: String
  private let target: String
  private let folder: String
  private let rights: FileRights?

  /// Makes the folder. What is made in it will not be open to more people than `rights` say.
  ///
  /// - Throws: `.cannotCreate`, also where there is a file already.
  package init(at target: String, rights: FileRights?) throws(StoreError) {
    if target.isEmpty || target.utf8.contains(0) {
      throw StoreError(.cannotCreate("it is no name of a file"), path: target)
    }
    var status = stat()
    guard lstat(target, &status) != 0 else { throw StoreError(.cannotCreate("there is a file already"), path: target) }
    let parent = FilePath.folder(of: target)
    var template = Array(FilePath.file(".\(FilePath.name(of: target)).XXXXXX", in: parent).utf8CString)
    guard mkdtemp(&template) != nil else { throw Self.failure(target) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = FilePath.file(FilePath.name(of: target), in: folder)
    self.target = target
    self.rights = rights
  }

  /// Moves what was made to its place: first what lies beside the database, then the database. Its log must be empty.
  ///
  /// - Throws: `.cannotCreate` where another file has come by the name meanwhile.
  package func keep() throws(StoreError) {
    let parent = FilePath.folder(of: target)
    rights?.limit(path)
    let own = ["", "-wal", "-shm", "-journal"].map { FilePath.name(of: target) + $0 }
    for name in names where !own.contains(name) {
      let place = FilePath.file(name, in: parent)
      guard access(place, F_OK) != 0, rename(FilePath.file(name, in: folder), place) == 0 else {
        throw StoreError(.cannotCreate("'\(place)' is there already"), path: target)
      }
    }
    // A link is not made over a file that came meanwhile; some file systems have none.
    if link(path, target) != 0, errno == EEXIST || rename(path, target) != 0 { throw Self.failure(target) }
    FolderSync.run(parent)
  }

  /// Removes the folder with what is still in it.
  package func discard() { Self.remove(folder) }

  private var names: [String] { Self.names(in: folder) }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Removes a folder of a store: files, and folders of files.
  private static func remove(_ folder: String) {
    for name in names(in: folder) {
      let path = FilePath.file(name, in: folder)
      if unlink(path) != 0 { remove(path) }
    }
    rmdir(folder)
  }

  private static func failure(_ target: String) -> StoreError {
    StoreError(.cannotCreate(String(cString: strerror(errno))), path: target)
  }
}
