internal import Glibc

/// Sockets that are files, which only their owner can open.
package enum SocketFile {
  /// Streams that do not block, and that no other program inherits.
  package static let kind =
    Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

  /// The longest path, in bytes.
  package static let longestPath = 107

  /// What is at a path.
  package enum Occupant {
    case none
    /// A socket that a process listens on.
    case listener
    /// A file that is no socket.
    case file
  }

  /// Binds a socket to a path, whose file has the mode 0600; false with the reason in `errno`.
  package static func bind(_ descriptor: Int32, to path: String) -> Bool {
    // The mode of the descriptor is that of the file; umask would be the whole process's.
    fchmod(descriptor, 0o600) == 0 && withAddress(of: path) { Glibc.bind(descriptor, $0, $1) } == 0
      && chmod(path, 0o600) == 0
  }

  /// Connects a socket to a path; false with the reason in `errno`.
  package static func connect(_ descriptor: Int32, to path: String) -> Bool {
    withAddress(of: path) { Glibc.connect(descriptor, $0, $1) } == 0
  }

  /// Removes the file of a socket that no process listens on any more, and returns what is left there.
  package static func removeDead(_ path: String) -> Occupant {
    var status = stat()
    guard lstat(path, &status) == 0 else { return .none }
    guard status.st_mode & S_IFMT == S_IFSOCK else { return .file }
    let probe = socket(AF_UNIX, kind, 0)
    defer { close(probe) }
    guard !connect(probe, to: path), errno == ECONNREFUSED else { return .listener }
    unlink(path)
    return .none
  }

  /// Calls `body` with the address of a file; -1 and ENAMETOOLONG if its path is too long.
  private static func withAddress(of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count <= longestPath, !bytes.contains(0) else {
      errno = ENAMETOOLONG
      return -1
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }
}
