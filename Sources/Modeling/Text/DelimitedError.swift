/// Why a delimited text cannot be read, with its place; the shell turns it into a sentence.
public struct DelimitedError: Error, Hashable, Sendable {
  /// What the mistake is.
  public var fact: Fact
  /// The place of the mistake, if it has one.
  public var place: TextPlace

  /// Reports a mistake at a place.
  public init(fact: Fact, place: TextPlace) {
    self.fact = fact
    self.place = place
  }

  /// One mistake.
  public enum Fact: Hashable, Sendable {
    /// The file cannot be opened or read; an error number of the C library.
    case unreadable(errorNumber: Int32)
    /// The text begins with the mark of an encoding that is not read.
    case wrongEncoding(String)
    case invalidUTF8
    /// A quote that is opened and never closed; the place is that of the opening one.
    case unterminatedQuote
    /// A quote in the middle of a field that does not begin with one.
    case strayQuote
    /// Text between a closing quote and the next delimiter.
    case textAfterQuote(String)
    case wrongFieldCount(expected: Int, found: Int)
    case rowTooLong(limit: Int)
  }
}
