internal import Glibc

/// Standard input and output as a protocol has them: nothing else may write to the client, or read what it sends, so that scripts
/// and libraries find empty streams in their places.
struct ProtocolStreams {
  let input: Int32
  let output: Int32

  /// Takes both streams; nil where one is closed.
  init?() {
    guard let input = Self.take(0), let output = Self.take(1) else { return nil }
    (self.input, self.output) = (input, output)
  }

  /// Gives a standard stream another number and puts /dev/null in its place.
  private static func take(_ descriptor: Int32) -> Int32? {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return nil }
    let file = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return dup2(file, descriptor) >= 0 ? copy : nil
  }
}
