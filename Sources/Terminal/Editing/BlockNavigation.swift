internal import Presentation

/// Moves between the lines of a block, in bytes of UTF-8.
enum BlockNavigation {
  /// The place above `point`, as far from the beginning of its line, or nil on the first line.
  static func above(_ point: Int, in bytes: [UInt8]) -> Int? {
    let start = lineStart(of: point, in: bytes)
    guard start > 0 else { return nil }
    return place(column(of: point, from: start, in: bytes), in: bytes, from: lineStart(of: start - 1, in: bytes))
  }

  /// The place below `point`, as far from the beginning of its line, or nil on the last line.
  static func below(_ point: Int, in bytes: [UInt8]) -> Int? {
    guard let end = bytes[point...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let start = lineStart(of: point, in: bytes)
    return place(column(of: point, from: start, in: bytes), in: bytes, from: end + 1)
  }

  /// The end of the line that `point` is in.
  static func lineEnd(of point: Int, in bytes: [UInt8]) -> Int {
    bytes[point...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
  }

  /// The last character of the line that `point` is in, on which the commands of vi leave the cursor.
  static func lastCharacter(of point: Int, in bytes: [UInt8]) -> Int {
    let (start, end) = (lineStart(of: point, in: bytes), lineEnd(of: point, in: bytes))
    let last = String(decoding: bytes[start..<end], as: UTF8.self).last
    return end - (last?.utf8.count ?? 0)
  }

  /// The beginning of the line that `point` is in.
  static func lineStart(of point: Int, in bytes: [UInt8]) -> Int {
    bytes[..<point].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
  }

  private static func column(of point: Int, from start: Int, in bytes: [UInt8]) -> Int {
    String(decoding: bytes[start..<point], as: UTF8.self).terminalWidth
  }

  /// The place `column` columns into the line that begins at `start`, or its end if it is shorter.
  private static func place(_ column: Int, in bytes: [UInt8], from start: Int) -> Int {
    let line = String(decoding: bytes[start...].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    var width = 0
    var offset = start
    for character in line {
      width += character.terminalWidth
      if width > column { break }
      offset += character.utf8.count
    }
    return offset
  }
}
