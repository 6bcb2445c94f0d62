internal import Glibc

/// What happens when nobody reads the results any more: `perilune quakes.sqlite -e … | head`.
///
/// Scripts are stopped as by Ctrl-C, which lets them close what they opened, and the run ends quietly with its own status.
/// A pipe that a script made itself (`io.popen`) does not count; writing to it fails, as it does in Lua.
enum BrokenPipe {
  /// Raw memory, because a signal handler may come at any moment and Swift checks accesses to variables for overlap.
  nonisolated(unsafe) private static let flag: UnsafeMutablePointer<sig_atomic_t> = {
    let flag = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
    flag.initialize(to: 0)
    return flag
  }()

  /// Whether standard output has lost its reader.
  static var hasHappened: Bool { flag.pointee != 0 }

  /// Lets writing to a pipe without a reader stop the script instead of ending the process.
  static func install() {
    // The handler must not be the first to touch the flag.
    _ = hasHappened
    signal(SIGPIPE) { _ in
      var output = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
      guard poll(&output, 1, 0) > 0, output.revents & Int16(POLLERR) != 0 else { return }
      BrokenPipe.flag.pointee = 1
      raise(SIGINT)
    }
  }
}
