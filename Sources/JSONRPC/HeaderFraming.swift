internal import Modeling

/// Messages behind headers that say how long they are: `Content-Length: 52`, an empty line, 52 bytes.
///
/// Behind a header without a length the next `Content-Length` counts, so that one wrong message does not spoil the others.
package struct HeaderFraming: MessageFraming {
  /// The most bytes of a message.
  private static let longestMessage = 32 << 20
  private static let longestHeader = 8 << 10
  private static let name = Array("content-length:".utf8)

  private var buffer: [UInt8] = []
  /// The length of the message whose header was read.
  private var length: Int?
  /// How many bytes of a message beyond the limit are still to come.
  private var dropping = 0

  package init() {}

  /// A message with its header.
  package static func framed(_ message: String) -> String { "Content-Length: \(message.utf8.count)\r\n\r\n" + message }

  package mutating func take(_ bytes: [UInt8]) -> [MessageReader.Arrival] {
    buffer += bytes
    var found: [MessageReader.Arrival] = []
    while let arrival = arrival() { found.append(arrival) }
    return found
  }

  package mutating func end() -> [MessageReader.Arrival] {
    defer { buffer = [] }
    let isCut = length != nil || dropping == 0 && buffer.contains { !$0.isBlank }
    return isCut ? [.broken(MessageError(.parse, "the input ends within a message"))] : []
  }

  private mutating func arrival() -> MessageReader.Arrival? {
    if dropping > 0 {
      let count = min(dropping, buffer.count)
      buffer.removeFirst(count)
      dropping -= count
      if dropping > 0 { return nil }
    }
    guard let length else { return header() }
    guard buffer.count >= length else { return nil }
    let message = Array(buffer[..<length])
    buffer.removeFirst(length)
    self.length = nil
    return .message(message)
  }

  private mutating func header() -> MessageReader.Arrival? {
    guard let end = endOfHeader() else {
      guard buffer.count > Self.longestHeader else { return nil }
      buffer = []
      return .broken(MessageError(.parse, "expected Content-Length: NUMBER and an empty line before a message"))
    }
    let header = Array(buffer[..<end])
    buffer.removeFirst(end)
    guard let length = Self.length(in: header) else {
      return .broken(MessageError(.parse, "expected Content-Length: NUMBER before a message"))
    }
    guard length <= Self.longestMessage else {
      dropping = length
      return .broken(.tooLong(Self.longestMessage))
    }
    self.length = length
    return arrival()
  }

  /// The end of the empty line behind the headers.
  private func endOfHeader() -> Int? {
    var previous: UInt8?
    for (index, byte) in buffer.prefix(Self.longestHeader).enumerated() where byte != UInt8(ascii: "\r") {
      if byte == UInt8(ascii: "\n"), previous == byte { return index + 1 }
      previous = byte
    }
    return nil
  }

  /// The number behind the last `Content-Length:`, in either case; nil where there is none.
  private static func length(in header: [UInt8]) -> Int? {
    let small = header.map { (65...90).contains($0) ? $0 + 32 : $0 }
    let starts = small.indices.reversed().first { small[$0...].starts(with: name) }
    guard let start = starts.map({ $0 + name.count }) else { return nil }
    let line = header[start...].prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    guard let length = Int(String(decoding: line.filter { !$0.isBlank }, as: UTF8.self)), length >= 0 else {
      return nil
    }
    return length
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { [0x20, 0x09, 0x0D, 0x0A].contains(self) }
}
