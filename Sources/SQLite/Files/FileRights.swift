import Glibc

/// The permissions and the owner of a file. A file made from it must never be accessible to more people.
package struct FileRights {
  private let mode: mode_t
  private let owner: uid_t
  private let group: gid_t

  /// The permissions of the file at `path`; nil if it does not exist.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (mode, owner, group) = (status.st_mode & 0o666, status.st_uid, status.st_gid)
  }

  /// Creates an empty file with these permissions, without those in the process's umask. Returns its descriptor, or -1
  /// with `errno`.
  package func create(_ path: String) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode | 0o600)
    if descriptor >= 0 { restrict(descriptor) }
    return descriptor
  }

  /// Takes the permissions that the file has not from a file that was just made.
  package func limit(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { Glibc.close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, fchmod(descriptor, status.st_mode & (mode | 0o600)) == 0 else { return }
    restrict(descriptor)
  }

  /// Creates a folder that the readers of the file may enter; returns true if the folder exists in the end.
  package func createFolder(_ path: String) -> Bool {
    guard mkdir(path, mode | 0o700 | (mode & 0o444) >> 2) == 0 else { return errno == EEXIST }
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    restrict(descriptor)
    Glibc.close(descriptor)
    return true
  }

  /// Gives a new file to the owner. If it cannot have the group, the group and others get no permissions.
  private func restrict(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return }
    if status.st_uid != owner || status.st_gid != group {
      if fchown(descriptor, owner, group) != 0 { _ = fchown(descriptor, uid_t.max, group) }
      // Changing the owner may remove permissions.
      _ = fchmod(descriptor, status.st_mode & 0o777)
    }
    guard fstat(descriptor, &status) == 0, status.st_gid != group else { return }
    _ = fchmod(descriptor, status.st_mode & 0o700)
  }
}
