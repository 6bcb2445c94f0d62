/// The bytes of the terminal that one reader took and left to the next: a full screen reads all that waits, and the key
/// that leaves it may stand in the middle.
///
/// Each reader of the terminal reads these first. A line that ends in them ends with a carriage return, as Enter sends it.
package enum UnreadInput {
  /// Oldest first. The terminal is read by one thread.
  nonisolated(unsafe) private static var bytes: ArraySlice<UInt8> = []

  package static var isEmpty: Bool { bytes.isEmpty }

  /// Gives bytes back, in front of those that are there.
  package static func giveBack(_ new: [UInt8]) { bytes = new + bytes }

  /// Takes the first byte; nil if there is none.
  static func takeFirst() -> UInt8? { bytes.popFirst() }

  /// Takes all of them.
  package static func takeAll() -> [UInt8] {
    defer { bytes = [] }
    return Array(bytes)
  }
}
