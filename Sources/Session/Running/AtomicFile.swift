internal import Glibc
internal import Modeling
package import Presentation
internal import SQLite

/// A file that is written beside its target and takes its place when it is complete, and the disk has it.
package enum AtomicFile {
  /// Writes a file; one of that name is left as it is unless `replaces` allows otherwise.
  ///
  /// - Throws: FileFailure, with EEXIST for a file that is not to be replaced; what `body` throws.
  package static func write(_ path: String, replaces: Bool = true, _ body: (OutputSink) throws -> Void) throws {
    let present = try status(of: path)
    // A pipe or a device is written directly.
    if let present, present.st_mode & S_IFMT != S_IFREG { return try writeDirectly(path, body) }
    if present != nil, !replaces { throw FileFailure(path: path, errno: EEXIST, verb: "written") }
    var name = Array((path + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw FileFailure(path: path, errno: errno, verb: "written") }
    do {
      let mask = umask(0)
      umask(mask)
      fchmod(descriptor, present.map { $0.st_mode & 0o777 } ?? 0o666 & ~mask)
      try write(descriptor, path, body)
      try put(name, path, replaces: replaces)
      FolderSync.run(FilePath.folder(of: path))
    } catch {
      unlink(name)
      throw error
    }
  }

  /// Makes a folder and those that it is in, as far as they are missing.
  static func makeFolders(_ path: String) {
    var parent = ""
    for part in path.split(separator: "/") {
      parent += "/" + part
      mkdir(parent, 0o777)
    }
  }

  /// Does all of `write` but leave a file, for a dry run.
  ///
  /// - Throws: what `write` would throw, as far as that is known without a file.
  package static func rehearse(_ path: String, replaces: Bool = true, _ body: (OutputSink) throws -> Void) throws {
    let present = try status(of: path)
    if present != nil, !replaces { throw FileFailure(path: path, errno: EEXIST, verb: "written") }
    let target = present.map { $0.st_mode & S_IFMT != S_IFREG } == true ? path : FilePath.folder(of: path)
    guard access(target, W_OK) == 0 else { throw FileFailure(path: path, errno: errno, verb: "written") }
    try writeDirectly("/dev/null", body)
  }

  /// The status of a file that may be written; nil if there is no file.
  private static func status(of path: String) throws -> stat? {
    // C would truncate the name at the zero byte and write another file.
    if path.utf8.contains(0) { throw FileFailure(path: path, errno: EINVAL, verb: "written") }
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    if status.st_mode & S_IFMT == S_IFDIR { throw FileFailure(path: path, errno: EISDIR, verb: "written") }
    return status
  }

  /// Gives the complete file its name.
  private static func put(_ name: [CChar], _ path: String, replaces: Bool) throws {
    // A link is not made over a file that came meanwhile; some file systems have none.
    if !replaces {
      if link(name, path) == 0 {
        unlink(name)
        return
      }
      if errno == EEXIST { throw FileFailure(path: path, errno: errno, verb: "written") }
    }
    guard rename(name, path) == 0 else { throw FileFailure(path: path, errno: errno, verb: "written") }
  }

  private static func writeDirectly(_ path: String, _ body: (OutputSink) throws -> Void) throws {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(path: path, errno: errno, verb: "written") }
    try write(descriptor, path, body)
  }

  private static func write(_ descriptor: Int32, _ path: String, _ body: (OutputSink) throws -> Void) throws {
    defer { close(descriptor) }
    let sink = OutputSink(descriptor: descriptor)
    do {
      try body(sink)
      sink.flush()
      try sink.checkpoint()
      // A pipe cannot be waited for, and a file of which the disk has only the name would take the place of a whole one.
      guard fsync(descriptor) == 0 || [EINVAL, EROFS, ENOSYS].contains(errno) else {
        throw OutputFailure.system(errno: errno)
      }
    } catch let failure as OutputFailure {
      guard case .system(let errno) = failure else { throw failure }
      throw FileFailure(path: path, errno: errno, verb: "written")
    }
  }
}
