/// Maps the bytes of a text to lines and columns.
struct Places {
  private let bytes: [UInt8]
  /// The start of each line.
  private let starts: [Int]

  init(_ source: [UInt8]) {
    // Tokens refer to text in which each invalid byte is a replacement character.
    let bytes = Array(String(decoding: source, as: UTF8.self).utf8)
    self.bytes = bytes
    starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  /// The one-based line of a range of the text, and the range's bytes within the line.
  func place(of range: Range<Int>) -> (line: Int, columns: Range<Int>) {
    let line = line(of: range.lowerBound)
    let first = range.lowerBound - starts[line]
    let end = min(range.upperBound, self.end(of: line)) - starts[line]
    return (line + 1, first..<max(first, end))
  }

  /// The zero-based line of a byte.
  private func line(of byte: Int) -> Int {
    var (first, end) = (0, starts.count)
    while end - first > 1 {
      let middle = (first + end) / 2
      if starts[middle] <= byte { first = middle } else { end = middle }
    }
    return first
  }

  /// The last occurrence of `text` in a line; an empty range if there is none.
  func last(_ text: String, inLine number: Int) -> Range<Int> {
    guard starts.indices.contains(number - 1) else { return 0..<0 }
    let line = Array(bytes[starts[number - 1]..<end(of: number - 1)])
    let wanted = Array(text.utf8)
    guard !wanted.isEmpty, line.count >= wanted.count else { return 0..<0 }
    let start = (0...line.count - wanted.count).last { line[$0..<$0 + wanted.count].elementsEqual(wanted) }
    return start.map { $0..<$0 + wanted.count } ?? 0..<0
  }

  private func end(of line: Int) -> Int { line + 1 < starts.count ? starts[line + 1] - 1 : bytes.count }
}
