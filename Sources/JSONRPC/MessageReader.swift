internal import Glibc

/// The messages of a descriptor, as they come.
///
///     let reader = MessageReader(descriptor: 0, LineFraming())
///     while let arrival = reader.next() { ... }
package final class MessageReader {
  /// A message, or what is wrong with the bytes in place of one.
  package enum Arrival {
    case message([UInt8])
    case broken(MessageError)
  }

  private let descriptor: Int32
  private var framing: any MessageFraming
  private var waiting: [Arrival] = []
  package private(set) var isAtEnd = false

  package init(descriptor: Int32, _ framing: any MessageFraming) {
    (self.descriptor, self.framing) = (descriptor, framing)
  }

  /// The next message; waits for it, and returns nil at the end of the input.
  package func next() -> Arrival? {
    while waiting.isEmpty, !isAtEnd { read() }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  /// Whether a message has come that is not taken yet. It does not wait.
  package var hasArrived: Bool {
    if waiting.isEmpty { readArrived() }
    return !waiting.isEmpty
  }

  /// Reads what has come without waiting, and passes each message that waits to `body`, which may take it away by true.
  package func removeArrived(where body: (Arrival) -> Bool) {
    readArrived()
    waiting.removeAll(where: body)
  }

  private func readArrived() {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // What waits is bounded: a client that sends on while a call runs is read when the call has ended.
    while !isAtEnd, waiting.count < 64, poll(&ready, 1, 0) > 0 { read() }
  }

  private func read() {
    let size = 1 << 16
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { storage, count in
      count = max(0, Glibc.read(descriptor, storage.baseAddress, size))
    }
    if bytes.isEmpty {
      if errno == EINTR { return errno = 0 }
      isAtEnd = true
      waiting += framing.end()
    } else {
      waiting += framing.take(bytes)
    }
  }
}

/// How messages are told apart in a stream of bytes.
package protocol MessageFraming {
  /// Takes more bytes, and returns the messages that end in them.
  mutating func take(_ bytes: [UInt8]) -> [MessageReader.Arrival]

  /// Returns what the end of the stream ends.
  mutating func end() -> [MessageReader.Arrival]
}
