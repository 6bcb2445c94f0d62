internal import Modeling

/// Messages that are a line each.
///
/// A line beyond the limit is dropped as it is read, so that its length costs no memory, and is reported once.
package struct LineFraming: MessageFraming {
  /// The most bytes of a line.
  private static let longestLine = 4 << 20

  private var buffer: [UInt8] = []
  /// How many bytes of `buffer` are known to have no newline.
  private var searched = 0
  private var isDropping = false

  package init() {}

  package mutating func take(_ bytes: [UInt8]) -> [MessageReader.Arrival] {
    buffer += bytes
    var found: [MessageReader.Arrival] = []
    while let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      found += arrival(Array(buffer[..<end]))
      buffer.removeSubrange(...end)
      searched = 0
    }
    searched = buffer.count
    if buffer.count > Self.longestLine { (isDropping, searched, buffer) = (true, 0, []) }
    return found
  }

  /// The last line may have no newline.
  package mutating func end() -> [MessageReader.Arrival] {
    defer { buffer = [] }
    return isDropping || !buffer.isEmpty ? arrival(buffer) : []
  }

  private mutating func arrival(_ line: [UInt8]) -> [MessageReader.Arrival] {
    if isDropping || line.count > Self.longestLine {
      isDropping = false
      return [.broken(.tooLong(Self.longestLine))]
    }
    return line.contains { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") } ? [.message(line)] : []
  }
}
