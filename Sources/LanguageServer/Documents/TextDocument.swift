internal import Modeling

/// A document that is open in the editor, as it is there, saved or not.
struct TextDocument {
  enum Language: String {
    case lua, swift
  }

  let uri: String
  /// The path of its file; nil for one that is in no file yet.
  let path: String?
  /// Nil for a language in which nothing is known.
  let language: Language?
  let encoding: PositionEncoding
  /// The number that the editor gave to the text.
  private(set) var version: JSON?
  private(set) var text: String
  private(set) var bytes: [UInt8] = []
  /// Where each line begins, in bytes.
  private var starts: [Int] = []

  init(uri: String, language: String, version: JSON?, text: String, _ encoding: PositionEncoding) {
    (self.uri, self.version, self.text, self.encoding) = (uri, version, text, encoding)
    path = DocumentAddress.path(of: uri)
    let ending = path?.split(separator: ".").last.map(String.init) ?? ""
    self.language = Language(rawValue: language) ?? Language(rawValue: ending)
    index()
  }

  /// Replaces a part, or all of the text where there is no range.
  mutating func replace(_ range: (Position, Position)?, with replacement: String) {
    guard let range else {
      text = replacement
      return index()
    }
    let (first, second) = (offset(of: range.0), offset(of: range.1))
    bytes.replaceSubrange(min(first, second)..<max(first, second), with: replacement.utf8)
    text = String(decoding: bytes, as: UTF8.self)
    index()
  }

  /// Takes the number of a changed text.
  mutating func take(version: JSON?) { self.version = version }

  private mutating func index() {
    bytes = Array(text.utf8)
    starts = [0]
    for (place, byte) in bytes.enumerated() {
      switch byte {
      case 0x0A: starts.append(place + 1)
      case 0x0D where place + 1 == bytes.count || bytes[place + 1] != 0x0A: starts.append(place + 1)
      default: break
      }
    }
  }

  // MARK: Places

  /// The byte of a position; the end of its line, or of the text, where it lies behind.
  func offset(of position: Position) -> Int {
    guard position.line < starts.count else { return bytes.count }
    let start = starts[position.line]
    var units = 0
    for place in start..<endOfLine(position.line) {
      let own = encoding.units(ofCharacterBeginningWith: bytes[place])
      if own > 0, units + own > position.character { return place }
      units += own
    }
    return endOfLine(position.line)
  }

  /// The position of a byte.
  func position(of offset: Int) -> Position {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    let end = min(max(offset, starts[low]), endOfLine(low))
    let units = bytes[starts[low]..<end].reduce(0) { $0 + encoding.units(ofCharacterBeginningWith: $1) }
    return Position(line: low, character: units)
  }

  /// A range of bytes as the protocol writes it.
  func json(_ range: Range<Int>) -> JSON {
    .object(["start": position(of: range.lowerBound).json, "end": position(of: range.upperBound).json])
  }

  /// The line of a byte without the blanks at its beginning, in bytes.
  func line(around offset: Int) -> Range<Int> {
    let line = position(of: offset).line
    let end = endOfLine(line)
    let start = bytes[starts[line]..<end].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? end
    return start..<end
  }

  /// The end of a line without what ends it.
  private func endOfLine(_ line: Int) -> Int {
    guard line + 1 < starts.count else { return bytes.count }
    let next = starts[line + 1]
    return bytes[next - 1] == 0x0A && next - 2 >= starts[line] && bytes[next - 2] == 0x0D ? next - 2 : next - 1
  }
}
