internal import Glibc

/// Handles a pipe whose reader has closed it: `perilune quakes.sqlite -e … | head`.
///
/// Scripts are stopped as by Ctrl-C, so that they can close their files, and the run ends quietly with status 141.
/// Writing to a closed pipe that a script opened itself (`io.popen`) fails, as in plain Lua.
package enum BrokenPipe {
  /// Raw memory, because a signal handler may run at any moment and Swift checks variables for overlapping accesses.
  nonisolated(unsafe) private static let flag: UnsafeMutablePointer<sig_atomic_t> = {
    let flag = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
    flag.initialize(to: 0)
    return flag
  }()

  /// Whether standard output has lost its reader.
  package static var hasHappened: Bool { flag.pointee != 0 }

  /// Makes writing to a pipe without a reader stop the script instead of ending the process.
  package static func install() {
    // The handler must not be the one that initialises the flag.
    _ = hasHappened
    signal(SIGPIPE) { _ in
      var output = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
      guard poll(&output, 1, 0) > 0, output.revents & Int16(POLLERR) != 0 else { return }
      BrokenPipe.flag.pointee = 1
      raise(SIGINT)
    }
  }
}
