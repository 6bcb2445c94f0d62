/// The errors of writing to a file.
package enum OutputFailure: Error, Equatable {
  /// The reader has closed the pipe (`| head`): the program ends quietly with status 141.
  case brokenPipe
  case system(errno: Int32)
  /// A data mode was given a blob of which only the beginning is at hand.
  case shortenedBlob(byteCount: Int, available: Int)
}

/// Bytes on their way to a receiver, such as an open file, in large pieces.
///
/// A failed write is kept in `failure`, and later bytes are dropped, so that writing a byte needs no error path; renderers
/// call `checkpoint()` once a row, which throws it.
package final class OutputSink {
  /// Takes bytes, all of them, or returns why it cannot.
  package typealias Receiver = (UnsafeBufferPointer<UInt8>) -> OutputFailure?

  private let receiver: Receiver?
  private let storage: UnsafeMutableBufferPointer<UInt8>
  private var count = 0
  private var memory: [UInt8] = []
  private var lastByte = UInt8(ascii: "\n")
  package private(set) var failure: OutputFailure?

  /// Called before bytes reach the receiver: the line editor takes its prompt away.
  package var willWrite: (() -> Void)?

  /// A sink that hands pieces of some `capacity` to a receiver, or keeps everything in memory if it is nil.
  package init(capacity: Int = 1 << 17, to receiver: Receiver?) {
    self.receiver = receiver
    storage = .allocate(capacity: capacity)
  }

  /// A sink that keeps everything, for `contents`.
  package static func inMemory() -> OutputSink { OutputSink(capacity: 1 << 12, to: nil) }

  deinit {
    flush()
    storage.deallocate()
  }

  /// Whether the next byte begins a line. True before anything was written.
  package var isAtLineStart: Bool { (count > 0 ? storage[count - 1] : lastByte) == UInt8(ascii: "\n") }

  /// Notes that the terminal has begun a new line by itself, as after the echo of Enter.
  package func noteLineStart() {
    flush()
    lastByte = UInt8(ascii: "\n")
  }

  /// Everything that was written to a sink in memory.
  package var contents: [UInt8] {
    flush()
    return memory
  }

  /// The content of a sink in memory, as text.
  package var text: String { String(decoding: contents, as: UTF8.self) }

  @inline(__always)
  package func write(byte: UInt8) {
    if count == storage.count { drain() }
    storage[count] = byte
    count += 1
  }

  @inline(__always)
  package func write(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    if bytes.count > storage.count - count {
      writeLarge(bytes)
      return
    }
    (storage.baseAddress! + count).update(from: base, count: bytes.count)
    count += bytes.count
  }

  package func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { write($0) }
  }

  package func write(_ text: String) {
    var text = text
    text.withUTF8 { write($0) }
  }

  @inline(__always)
  func write(_ text: StaticString) {
    write(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Hands everything to the receiver.
  package func flush() {
    drain()
  }

  /// Throws what went wrong since the last checkpoint.
  package func checkpoint() throws(OutputFailure) {
    if let failure { throw failure }
  }

  private func writeLarge(_ bytes: UnsafeBufferPointer<UInt8>) {
    drain()
    if bytes.count < storage.count { write(bytes) } else { send(bytes) }
  }

  private func drain() {
    guard count > 0 else { return }
    let pending = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(storage)[..<count])
    count = 0
    send(pending)
  }

  private func send(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard failure == nil else { return }
    lastByte = bytes[bytes.count - 1]
    guard let receiver else {
      memory.append(contentsOf: bytes)
      return
    }
    willWrite?()
    failure = receiver(bytes)
  }
}
