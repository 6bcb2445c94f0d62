/// Why a text is no JSON, with the place; the shell turns it into a sentence.
public struct JSONError: Error, Hashable, Sendable {
  /// What the mistake is.
  public var fact: Fact
  /// Bytes before the place.
  public var offset: Int
  /// Line and column.
  public var place: TextPlace

  /// One mistake.
  public enum Fact: Hashable, Sendable {
    case unexpectedEnd(expected: String)
    case unexpected(found: String, expected: String)
    case trailingText(String)
    case invalidNumber(String)
    /// A number that no Double holds.
    case numberOutOfRange(String)
    case unterminatedString
    case controlCharacter(UInt8)
    case invalidEscape(String)
    case loneSurrogate(String)
    case invalidUTF8
    case tooDeep(limit: Int)
  }

  /// Reports `fact` at `offset` of `text`, which begins at `start` of what the user wrote.
  init(_ fact: Fact, at offset: Int, of text: UnsafeRawBufferPointer, from start: TextPlace) {
    self.fact = fact
    self.offset = offset
    place = TextPlace(of: offset, in: text, from: start)
  }
}
