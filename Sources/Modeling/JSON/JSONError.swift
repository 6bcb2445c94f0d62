/// A syntax error in a JSON text, with its place.
public struct JSONError: Error, Hashable, Sendable {
  /// The kind of error.
  public var fact: Fact
  /// The number of bytes before the error.
  public var offset: Int
  /// Line and column.
  public var place: TextPlace

  /// The kinds of errors.
  public enum Fact: Hashable, Sendable {
    case unexpectedEnd(expected: String)
    case unexpected(found: String, expected: String)
    case trailingText(String)
    case invalidNumber(String)
    /// A number beyond the range of a Double.
    case numberOutOfRange(String)
    case unterminatedString
    case controlCharacter(UInt8)
    case invalidEscape(String)
    case loneSurrogate(String)
    case invalidUTF8
    case tooDeep(limit: Int)
  }

  /// Reports `fact` at `offset` of `text`, which begins at `start` in the user's file.
  init(_ fact: Fact, at offset: Int, of text: UnsafeRawBufferPointer, from start: TextPlace) {
    self.fact = fact
    self.offset = offset
    place = TextPlace(of: offset, in: text, from: start)
  }
}
