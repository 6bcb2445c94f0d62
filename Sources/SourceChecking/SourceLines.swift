/// The lines of a text, by bytes. A line feed, a carriage return, or both, end a line, as in editors and in Lua.
package struct SourceLines: Sendable {
  private let bytes: [UInt8]
  /// Where each line begins.
  private var starts = [0]

  package init(_ text: String) {
    bytes = Array(text.utf8)
    for (index, byte) in bytes.enumerated() where byte == 0x0A || byte == 0x0D && !isFollowedByLineFeed(index) {
      starts.append(index + 1)
    }
  }

  private func isFollowedByLineFeed(_ index: Int) -> Bool { index + 1 < bytes.count && bytes[index + 1] == 0x0A }

  /// The end of the line with a number, without what ends it.
  private func end(ofLine number: Int) -> Int {
    guard number < starts.count else { return bytes.count }
    let last = starts[number] - 1
    return bytes[last] == 0x0A && last > starts[number - 1] && bytes[last - 1] == 0x0D ? last - 1 : last
  }

  /// The number of the line of a byte, from 1.
  package func line(of byte: Int) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= byte { low = middle + 1 } else { high = middle }
    }
    return max(low, 1)
  }

  /// The part of a range within the line that it begins in, in bytes from the beginning of the line.
  package func columns(of range: Range<Int>) -> Range<Int> {
    let line = line(of: range.lowerBound)
    let (start, end) = (starts[line - 1], end(ofLine: line))
    let lower = min(range.lowerBound, end)
    return lower - start..<max(lower, min(range.upperBound, end)) - start
  }

  /// A part of a line, given in bytes from the beginning of the line, in bytes of the text.
  package func range(ofColumns columns: Range<Int>, inLine line: Int) -> Range<Int> {
    let start = starts.indices.contains(line - 1) ? starts[line - 1] : bytes.count
    return min(start + columns.lowerBound, bytes.count)..<min(start + columns.upperBound, bytes.count)
  }

  /// A part of a line, given in bytes, in UTF-16 code units, which editors and SARIF count.
  package func columnsInUTF16(_ columns: Range<Int>, ofLine line: Int) -> Range<Int> {
    guard starts.indices.contains(line - 1) else { return columns }
    let start = starts[line - 1]
    func units(_ end: Int) -> Int {
      String(decoding: bytes[start..<min(start + end, bytes.count)], as: UTF8.self).utf16.count
    }
    return units(columns.lowerBound)..<units(columns.upperBound)
  }
}
