import Glibc

/// What may be done with a file, and whose it is: a file that is made from it may never be open to more people.
package struct FileRights {
  private let mode: mode_t
  private let owner: uid_t
  private let group: gid_t

  /// Those of the file at `path`; nil where there is none.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (mode, owner, group) = (status.st_mode & 0o666, status.st_uid, status.st_gid)
  }

  /// Makes an empty file with these rights, less what the process takes from all its files; returns its descriptor, or -1
  /// with `errno`.
  package func create(_ path: String) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode | 0o600)
    if descriptor >= 0 { restrict(descriptor) }
    return descriptor
  }

  /// Makes a folder that those may enter who may read the file; true if it is there in the end.
  package func createFolder(_ path: String) -> Bool {
    guard mkdir(path, mode | 0o700 | (mode & 0o444) >> 2) == 0 else { return errno == EEXIST }
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    restrict(descriptor)
    Glibc.close(descriptor)
    return true
  }

  /// Gives a new file to the owner; where it cannot be the group's, the group and others may do nothing with it.
  private func restrict(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return }
    if status.st_uid != owner || status.st_gid != group {
      if fchown(descriptor, owner, group) != 0 { _ = fchown(descriptor, uid_t.max, group) }
      // Giving a file away may take rights from it.
      _ = fchmod(descriptor, status.st_mode & 0o777)
    }
    guard fstat(descriptor, &status) == 0, status.st_gid != group else { return }
    _ = fchmod(descriptor, status.st_mode & 0o700)
  }
}
