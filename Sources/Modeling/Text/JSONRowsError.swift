/// An error in a file of JSON rows, with its place.
public struct JSONRowsError: Error, Hashable, Sendable {
  /// The kind of error.
  public var fact: Fact
  /// Its place.
  public var place: TextPlace

  /// The kinds of errors.
  public enum Fact: Hashable, Sendable {
    /// The file cannot be opened or read; an error number of the C library.
    case unreadable(errorNumber: Int32)
    /// A syntax error within a row.
    case json(JSONError.Fact)
    /// An error between rows, or a row that is not an object.
    case unexpected(found: String, expected: String)
    case unexpectedEnd(expected: String)
    case rowTooLong(limit: Int)
  }
}
