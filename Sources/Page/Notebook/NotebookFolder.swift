internal import Glibc
internal import Modeling
internal import Session

/// The scripts of a folder: its own regular files `NAME.lua`. Hidden files, links and files of folders in it are passed over.
struct NotebookFolder {
  let path: String

  /// The bytes that a script may have.
  private static let largest = 1 << 20

  /// The names of the files, in order.
  var names: [String] {
    guard let listing = opendir(path) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      var status = stat()
      if Self.isName(name), lstat(FilePath.file(name, in: path), &status) == 0, status.st_mode & S_IFMT == S_IFREG {
        names.append(name)
      }
    }
    return names.sorted()
  }

  /// The text of a file; nil if the folder has no such file.
  ///
  /// - Throws: PageProblem for a file that cannot be read, or is too large.
  func text(of name: String) throws -> [UInt8]? {
    guard Self.isName(name) else { return nil }
    // A pipe would otherwise be waited for.
    let descriptor = open(FilePath.file(name, in: path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ELOOP { return nil }
      throw PageProblem.failure("\(name): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    guard status.st_size <= Self.largest else {
      throw PageProblem.failure("\(name) has \(status.st_size) bytes, and a page at most \(Self.largest)")
    }
    return readToEnd(descriptor)
  }

  private static func isName(_ name: String) -> Bool {
    name.hasSuffix(".lua") && name.first != "." && !name.contains { $0 == "/" || $0 == "\0" }
  }
}
