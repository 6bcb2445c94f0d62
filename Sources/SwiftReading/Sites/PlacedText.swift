internal import SwiftParsing

/// A text that stands in Swift source, with the place in the source of each of its bytes.
///
/// ```swift
/// NSPredicate(format: "place == \"\u{E9}\"")       // the é is one letter of the text, and six of the source
/// ```
package struct PlacedText: Sendable {
  /// The text, as the program has it.
  package private(set) var text = ""
  /// Where each byte of the text begins in the source, and where the text ends.
  private var places: [Int] = []
  private var end = 0

  init() {}

  /// The content of the literal that stands at `range`; a value in `\(...)` is `SwiftString.interpolated`.
  init(literal range: Range<Int>, in bytes: [UInt8]) {
    var reader = LiteralReader(range, bytes)
    reader.read()
    text = String(decoding: reader.content, as: UTF8.self)
    // Bytes that are no UTF-8 are others in the text.
    places = text.utf8.count == reader.places.count ? reader.places : text.utf8.map { _ in range.lowerBound }
    end = reader.end
  }

  /// A text that stands for something at a place of the source.
  init(_ text: String, standingAt range: Range<Int>) { append(text, standingAt: range) }

  mutating func append(_ other: PlacedText) {
    text += other.text
    places += other.places
    end = other.end
  }

  mutating func append(_ piece: String, standingAt range: Range<Int>) {
    text += piece
    places += piece.utf8.map { _ in range.lowerBound }
    end = range.upperBound
  }

  /// The part from byte `start` to byte `end`.
  func part(_ range: Range<Int>) -> PlacedText {
    var part = PlacedText()
    part.text = String(decoding: Array(text.utf8)[range], as: UTF8.self)
    part.places = Array(places[range])
    part.end = range.upperBound < places.count ? places[range.upperBound] : end
    return part
  }

  /// The place in the source of a range of the text, in bytes of both.
  package func source(_ range: Range<Int>) -> Range<Int> {
    let lower = range.lowerBound < places.count ? places[max(0, range.lowerBound)] : end
    let upper = range.upperBound < places.count ? places[max(0, range.upperBound)] : end
    return lower..<max(lower, upper)
  }

  /// The byte of the text that stands at a byte of the source; nil where none does.
  package func offset(ofSource byte: Int) -> Int? {
    if let place = places.firstIndex(of: byte) { return place }
    // Behind the last byte of a piece.
    return byte == end ? places.count : places.lastIndex(of: byte - 1).map { $0 + 1 }
  }

  /// The place in the source of all of it.
  package var whole: Range<Int> { source(0..<places.count) }
}

/// Reads a literal of a text once more, for the places of its bytes.
private struct LiteralReader {
  private let bytes: [UInt8]
  private let sharps: Int
  private let isMultiline: Bool
  private var position: Int
  /// Where the content ends.
  let end: Int
  private(set) var content: [UInt8] = []
  private(set) var places: [Int] = []

  init(_ range: Range<Int>, _ bytes: [UInt8]) {
    self.bytes = bytes
    let literal = bytes[range]
    sharps = literal.prefix { $0 == UInt8(ascii: "#") }.count
    let quotes = literal.dropFirst(sharps).prefix(3)
    let three = quotes.elementsEqual("\"\"\"".utf8)
    // `#"""#` is a quotation mark.
    let isShort = sharps > 0 && !bytes[range].dropFirst(sharps + 3).contains(0x0A)
    isMultiline = three && !isShort
    let mark = (isMultiline ? 3 : 1) + sharps
    position = min(range.lowerBound + mark, range.upperBound)
    let isClosed = literal.count >= 2 * mark && bytes[range.upperBound - 1] == (sharps > 0 ? 0x23 : 0x22)
    end = isClosed ? max(position, range.upperBound - mark) : range.upperBound
  }

  mutating func read() {
    while position < end {
      if isEscape { readEscape() } else { append(bytes[position], at: position) }
    }
    if isMultiline { removeIndentation() }
  }

  private mutating func append(_ byte: UInt8, at place: Int) {
    content.append(byte)
    places.append(place)
    if place == position { position += 1 }
  }

  private var isEscape: Bool {
    bytes[position] == UInt8(ascii: "\\") && position + sharps < end
      && bytes[(position + 1)...].prefix(sharps).allSatisfy { $0 == UInt8(ascii: "#") }
  }

  private mutating func readEscape() {
    let start = position
    position += 1 + sharps
    guard position < end else { return }
    let letter = bytes[position]
    position += 1
    func add(_ text: String) -> ([UInt8], [Int]) { (Array(text.utf8), text.utf8.map { _ in start }) }
    var added: ([UInt8], [Int]) = ([], [])
    switch letter {
    case UInt8(ascii: "n"): added = add("\n")
    case UInt8(ascii: "t"): added = add("\t")
    case UInt8(ascii: "r"): added = add("\r")
    case UInt8(ascii: "0"): added = add("\0")
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): added = ([letter], [start])
    case UInt8(ascii: "u"): added = add(unicodeScalar())
    case UInt8(ascii: "("):
      skipParentheses()
      added = add(String(SwiftString.interpolated))
    default: break
    }
    content += added.0
    places += added.1
  }

  /// Reads `{1F600}` behind `u`.
  private mutating func unicodeScalar() -> String {
    guard let close = bytes[position..<end].prefix(10).firstIndex(of: UInt8(ascii: "}")),
      bytes[position] == UInt8(ascii: "{")
    else { return "" }
    let digits = String(decoding: bytes[(position + 1)..<close], as: UTF8.self)
    position = close + 1
    return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? ""
  }

  private mutating func skipParentheses() {
    var depth = 1
    while position < end, depth > 0, bytes[position] != 0x0A {
      if bytes[position] == UInt8(ascii: "(") { depth += 1 }
      if bytes[position] == UInt8(ascii: ")") { depth -= 1 }
      position += 1
    }
  }

  /// Removes the first and the last line break, and the indentation of the last line.
  private mutating func removeIndentation() {
    let lines = content.indices.split(omittingEmptySubsequences: false) { content[$0] == 0x0A }
    guard lines.count > 1, let last = lines.last, last.allSatisfy({ content[$0] == 0x20 || content[$0] == 0x09 }) else {
      return
    }
    let indentation = content[last.startIndex..<last.endIndex]
    var kept: [Int] = []
    for line in lines.dropFirst().dropLast() {
      let isIndented = content[line.startIndex..<line.endIndex].starts(with: indentation)
      // The break before the line.
      if !kept.isEmpty || line.startIndex != lines[1].startIndex { kept.append(line.startIndex - 1) }
      kept += isIndented ? line.dropFirst(indentation.count) : line
    }
    (content, places) = (kept.map { content[$0] }, kept.map { places[$0] })
  }
}
