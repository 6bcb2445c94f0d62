package import Modeling

/// A message between a console and what is attached to it: the number of its bytes in four bytes, most significant first, and
/// so many bytes of JSON.
package enum Frame {
  /// The most bytes of a message. A longer one is refused before it is read.
  package static let mostBytes = 1 << 20

  /// The bytes of a message.
  package static func bytes(of message: JSON) -> [UInt8] {
    let text = Array(message.text.utf8)
    let count = UInt32(clamping: text.count)
    return stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> UInt32($0)) } + text
  }
}

/// Reads messages from bytes that arrive in pieces.
package struct FrameReader {
  /// Why bytes are no messages.
  package enum Fault: Error, Equatable {
    case tooLong(Int)
    case notJSON
  }

  private var bytes: [UInt8] = []

  package init() {}

  package mutating func append(_ piece: UnsafeRawBufferPointer) { bytes.append(contentsOf: piece) }

  /// The next message; nil until all of its bytes are there.
  package mutating func next() throws(Fault) -> JSON? {
    guard bytes.count >= 4 else { return nil }
    let count = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard count <= Frame.mostBytes else { throw .tooLong(count) }
    guard bytes.count >= 4 + count else { return nil }
    let message = Array(bytes[4..<4 + count])
    bytes.removeFirst(4 + count)
    do { return try JSON.parse(message) } catch { throw .notJSON }
  }
}
