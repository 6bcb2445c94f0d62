import Glibc

extension OutputSink {
  /// A sink that writes to an open file descriptor. SIGPIPE must be ignored by the process.
  package convenience init(descriptor: Int32, capacity: Int = 1 << 17) {
    self.init(capacity: capacity) { Self.write($0, to: descriptor) }
  }

  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> OutputFailure? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = Glibc.write(descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
      if written >= 0 {
        rest = rest.dropFirst(written)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      case EPIPE: return .brokenPipe
      case let code: return .system(errno: code)
      }
    }
    return nil
  }
}
