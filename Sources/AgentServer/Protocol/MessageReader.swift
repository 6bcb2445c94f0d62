internal import Glibc

/// The lines of a descriptor, as they come: each is a message.
///
/// A line beyond the limit is dropped as it is read, so that its length costs no memory, and is reported once.
final class MessageReader {
  /// A line, or the fact that one was too long.
  enum Line: Equatable {
    case message([UInt8])
    case tooLong
  }

  /// The most bytes of a line.
  static let longestLine = 4 << 20

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  /// How many bytes of `buffer` are known to have no newline.
  private var searched = 0
  private var isDropping = false
  private var waiting: [Line] = []
  private(set) var isAtEnd = false

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// The next line; waits for it, and returns nil at the end of the input.
  func next() -> Line? {
    while waiting.isEmpty, !isAtEnd { read() }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  /// Reads what has come without waiting, and passes each line that waits to `body`, which may take it away by true.
  func removeArrived(where body: (Line) -> Bool) {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // What waits is bounded: a client that sends on while a call runs is read when the call has ended.
    while !isAtEnd, waiting.count < 64, poll(&ready, 1, 0) > 0 { read() }
    waiting.removeAll(where: body)
  }

  private func read() {
    let size = 1 << 16
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { storage, count in
      count = max(0, Glibc.read(descriptor, storage.baseAddress, size))
    }
    if bytes.isEmpty {
      if errno == EINTR { errno = 0 } else { end() }
      return
    }
    buffer += bytes
    split()
  }

  private func split() {
    while let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      take(Array(buffer[..<end]))
      buffer.removeSubrange(...end)
      searched = 0
    }
    searched = buffer.count
    guard buffer.count > Self.longestLine else { return }
    (isDropping, searched) = (true, 0)
    buffer = []
  }

  private func take(_ line: [UInt8]) {
    if isDropping || line.count > Self.longestLine {
      isDropping = false
      waiting.append(.tooLong)
    } else if line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }) {
      waiting.append(.message(line))
    }
  }

  /// The last line may have no newline.
  private func end() {
    isAtEnd = true
    if isDropping || !buffer.isEmpty { take(buffer) }
    buffer = []
  }
}
