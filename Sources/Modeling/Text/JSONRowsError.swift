/// Why a file of JSON rows cannot be read, with its place; the shell turns it into a sentence.
public struct JSONRowsError: Error, Hashable, Sendable {
  /// What the mistake is.
  public var fact: Fact
  /// Where it stands.
  public var place: TextPlace

  /// One mistake.
  public enum Fact: Hashable, Sendable {
    /// The file cannot be opened or read; an error number of the C library.
    case unreadable(errorNumber: Int32)
    /// A mistake within a row.
    case json(JSONError.Fact)
    /// A mistake between rows, or a row that is no object.
    case unexpected(found: String, expected: String)
    case unexpectedEnd(expected: String)
    case rowTooLong(limit: Int)
  }
}
