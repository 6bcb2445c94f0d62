/// Why a text is no JSON, with the place; the shell turns it into a sentence.
public struct JSONError: Error, Hashable, Sendable {
  public var fact: Fact
  /// Bytes before the place.
  public var offset: Int
  /// Counted from 1.
  public var line: Int
  /// In characters (Unicode scalars), counted from 1.
  public var column: Int

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

  /// Reports `fact` at `offset` of `text`, which begins in line `firstLine` of what the user wrote.
  init(_ fact: Fact, at offset: Int, of text: UnsafeRawBufferPointer, firstLine: Int = 1) {
    self.fact = fact
    self.offset = offset
    let place = TextPlace(of: offset, in: text)
    line = place.line + firstLine - 1
    column = place.column
  }
}
