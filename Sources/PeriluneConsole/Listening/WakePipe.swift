internal import Glibc

/// A descriptor that becomes readable when another thread wakes the one that waits for it.
final class WakePipe: Sendable {
  /// What to wait for.
  let descriptor: Int32
  private let end: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    (descriptor, end) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  deinit {
    close(descriptor)
    close(end)
  }

  /// May be called from any thread. A full pipe wakes as well.
  func wake() {
    var byte: UInt8 = 1
    _ = write(end, &byte, 1)
  }

  /// Waits until it is woken.
  func wait() {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&ready, 1, -1) < 1 {}
  }

  func drain() {
    var room: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    while read(descriptor, &room, 32) == 32 {}
  }
}
