internal import SwiftParsing

/// A text with `\(...)` in it, taken apart.
enum SourceInterpolation {
  /// A piece of the text, or a value between two.
  enum Part {
    case text(String)
    /// The value, and where it stands with its brackets.
    case value(SwiftSyntax, Range<Int>)
  }

  /// The parts of a string of the source; nil where a value cannot be read.
  static func parts(of string: SwiftString, in bytes: [UInt8]) -> [Part]? {
    let pieces = string.content.split(separator: SwiftString.interpolated, omittingEmptySubsequences: false)
    guard pieces.count == string.interpolations.count + 1 else { return nil }
    var parts = [Part.text(String(pieces[0]))]
    for (place, piece) in zip(string.interpolations, pieces.dropFirst()) {
      guard let value = value(at: place, in: bytes) else { return nil }
      parts += [.value(value, place), .text(String(piece))]
    }
    return parts
  }

  /// The value in `\(...)`, with its places in the whole source.
  private static func value(at place: Range<Int>, in bytes: [UInt8]) -> SwiftSyntax? {
    guard let open = bytes[place].firstIndex(of: UInt8(ascii: "(")), place.upperBound - 1 > open else { return nil }
    let inner = open + 1..<place.upperBound - 1
    let blank = [UInt8](repeating: UInt8(ascii: " "), count: inner.lowerBound)
    var parser = SwiftParser(String(decoding: blank + bytes[inner], as: UTF8.self))
    let value = parser.value()
    return parser.issues.found.isEmpty && parser.current.kind == .end ? value : nil
  }
}
