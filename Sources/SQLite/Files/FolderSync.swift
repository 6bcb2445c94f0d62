import Glibc

/// Makes the names in a folder last: a file that was made or renamed may otherwise be gone after a power cut.
package enum FolderSync {
  /// Waits until the disk has the names in the folder at `path`.
  ///
  /// - Returns: false, with `errno`, if the disk says that it failed. A folder that may not be read is left alone.
  @discardableResult
  package static func run(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }
}
