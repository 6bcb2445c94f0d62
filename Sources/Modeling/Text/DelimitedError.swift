/// An error in a delimited text, with its place.
public struct DelimitedError: Error, Hashable, Sendable {
  /// The kind of error.
  public var fact: Fact
  /// The place of the error, if it has one.
  public var place: TextPlace

  /// Creates an error at a place.
  public init(fact: Fact, place: TextPlace) {
    self.fact = fact
    self.place = place
  }

  /// The kinds of errors.
  public enum Fact: Hashable, Sendable {
    /// The file cannot be opened or read; an error number of the C library.
    case unreadable(errorNumber: Int32)
    /// The text begins with the byte order mark of an unsupported encoding.
    case wrongEncoding(String)
    case invalidUTF8
    /// A quote that is never closed; the place is that of the opening quote.
    case unterminatedQuote
    /// A quote in the middle of a field that does not begin with one.
    case strayQuote
    /// Text between a closing quote and the next delimiter.
    case textAfterQuote(String)
    case wrongFieldCount(expected: Int, found: Int)
    case rowTooLong(limit: Int)
  }
}
