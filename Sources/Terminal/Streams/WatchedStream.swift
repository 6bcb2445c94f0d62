@preconcurrency internal import CStreams
@preconcurrency internal import Glibc
package import Presentation

/// C's stdout or stderr on a terminal, with a closure that is called before each write.
///
/// Scripts print to these streams directly, and a line that is being typed must be erased first. The stream lasts as
/// long as the process. Create it before Lua, which keeps the streams that it finds.
package final class WatchedStream {
  private let descriptor: Int32
  /// Called before bytes are written to the terminal.
  package var willWrite: (() -> Void)?
  /// The character set for pictures of control characters; nil passes them on.
  package var picturing: Charset?
  /// The bytes of an incomplete character at the end of a write.
  private var begun: [UInt8] = []
  /// Whether the output so far ends with a newline.
  package private(set) var isAtLineStart = true

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Replaces C's stdout; nil if it is no terminal.
  package static func standardOutput() -> WatchedStream? {
    let watched = WatchedStream(1)
    guard let stream = watched.open() else { return nil }
    setvbuf(stream, nil, _IOLBF, 1 << 12)
    fflush(stdout)
    stdout = stream
    return watched
  }

  /// Replaces C's stderr; nil if it is no terminal.
  package static func standardError() -> WatchedStream? {
    let watched = WatchedStream(2)
    guard let stream = watched.open() else { return nil }
    setvbuf(stream, nil, _IONBF, 0)
    stderr = stream
    return watched
  }

  private func open() -> UnsafeMutablePointer<FILE>? {
    guard isatty(descriptor) == 1 else { return nil }
    var functions = perilune_stream_functions()
    functions.write = { context, bytes, count in
      guard let context, let bytes else { return 0 }
      return Unmanaged<WatchedStream>.fromOpaque(context).takeUnretainedValue()
        .write(UnsafeRawBufferPointer(start: bytes, count: count))
    }
    // Streams are flushed at process exit, when everything else has been deallocated.
    return perilune_open_stream(Unmanaged.passRetained(self).toOpaque(), "w", functions)
  }

  /// Returns the number of bytes written, which is smaller than the count on failure.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let last = bytes.last else { return 0 }
    willWrite?()
    isAtLineStart = last == UInt8(ascii: "\n")
    guard let picturing else { return send(bytes) }
    var text = begun + bytes
    begun = Self.takeIncomplete(&text)
    let shown = DisplayText.picturingControls(
      in: String(decoding: text, as: UTF8.self), picturing, keepingLines: true)
    let sent = Array(shown.utf8)
    return sent.withUnsafeBytes { send($0) } == sent.count ? bytes.count : 0
  }

  /// Removes the bytes of an incomplete character from the end.
  private static func takeIncomplete(_ text: inout [UInt8]) -> [UInt8] {
    for length in 1...3 where length <= text.count {
      let byte = text[text.count - length]
      // Continuation bytes follow the first byte, which says how many there are.
      if byte & 0xC0 == 0x80 { continue }
      let wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      guard wanted > length else { return [] }
      defer { text.removeLast(length) }
      return Array(text.suffix(length))
    }
    return []
  }

  private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    while count < bytes.count {
      let written = Glibc.write(descriptor, bytes.baseAddress! + count, bytes.count - count)
      if written >= 0 {
        count += written
      } else if errno == EAGAIN {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      } else if errno != EINTR {
        return count
      }
    }
    return count
  }
}
