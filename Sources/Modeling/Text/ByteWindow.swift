internal import Glibc

/// A buffer that reads a file or a text forward and keeps the bytes from `start` on contiguous.
///
/// It uses read(2) rather than a memory map: if another process truncates a mapped file, the reader is killed.
final class ByteWindow {
  /// The bytes read and not yet dropped; a line feed follows the last one, so that a scan for line ends needs no bound.
  private(set) var base: UnsafeMutablePointer<UInt8>
  /// The number of bytes from `base` on.
  private(set) var count = 0
  /// The first byte that is still needed; those before it are dropped by `fill`.
  var start = 0
  /// Whether the last byte of the text is in the window.
  private(set) var isAtEnd = false
  /// The number of dropped bytes.
  private(set) var dropped = 0
  /// The size of the text in bytes, if known.
  let size: Int?
  /// Called when a signal interrupts the wait for a pipe; true ends reading with EINTR.
  var shouldStop: () -> Bool = { false }

  private var capacity: Int
  private let descriptor: Int32?
  private let limit: Int

  /// An error number of the C library.
  struct Failure: Error { var number: Int32 }

  /// Opens the file at `path`; no row may be longer than `limit` bytes.
  init(path: String, chunk: Int, limit: Int) throws(Failure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(number: errno) }
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = isFile ? Int(status.st_size) : nil
    self.descriptor = descriptor
    self.limit = limit
    capacity = chunk
    base = .allocate(capacity: chunk + 1)
    base[0] = UInt8(ascii: "\n")
  }

  /// Wraps bytes in memory.
  init(bytes: [UInt8]) {
    descriptor = nil
    limit = .max
    size = bytes.count
    capacity = bytes.count
    base = .allocate(capacity: bytes.count + 1)
    bytes.withUnsafeBufferPointer { source in
      if let first = source.baseAddress { base.update(from: first, count: bytes.count) }
    }
    count = bytes.count
    base[count] = UInt8(ascii: "\n")
    isAtEnd = true
  }

  deinit {
    base.deallocate()
    if let descriptor { close(descriptor) }
  }

  /// Whether the needed bytes have reached the limit, so that `fill` cannot add any.
  var isFull: Bool { count - start >= limit }

  /// Reads more, and drops bytes before `start`; afterwards there are more bytes, or `isAtEnd` is true.
  ///
  /// - Precondition: the window is not full.
  func fill() throws(Failure) {
    precondition(!isFull, "a window at its limit is not filled")
    guard let descriptor, !isAtEnd else { return }
    makeRoom()
    while true {
      let got = read(descriptor, base + count, capacity - count)
      if got < 0 {
        let number = errno
        guard number == EINTR, !shouldStop() else { throw Failure(number: number) }
        continue
      }
      isAtEnd = got == 0
      count += got
      base[count] = UInt8(ascii: "\n")
      return
    }
  }

  private func makeRoom() {
    if start > 0 {
      memmove(base, base + start, count - start)
      dropped += start
      count -= start
      start = 0
    }
    guard count == capacity else { return }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2 + 1)
    memcpy(larger, base, count)
    base.deallocate()
    base = larger
    capacity *= 2
  }

  /// The bytes from `start` to the end of the window.
  var rest: UnsafeRawBufferPointer { slice(start, count) }

  /// The bytes between two offsets.
  func slice(_ from: Int, _ to: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + from, count: to - from)
  }
}
