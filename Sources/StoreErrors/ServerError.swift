/// What a database server answered instead of doing what a statement said, in the server's own parts.
public struct ServerError: Hashable, Sendable {
  /// The five characters that tell the kind of error, as `23505`.
  public var sqlState: String
  /// The server's message, in its language.
  public var message: String
  /// More about it.
  public var detail: String?
  /// What the server advises.
  public var hint: String?
  /// The statement; nil where it is not known which one failed.
  public var statement: String?
  /// The place in the statement, in characters from 1.
  public var position: Int?
  /// The place among the statements that were sent together, from 0; nil for one that was sent alone.
  public var index: Int?
  /// Where it happened within functions and triggers.
  public var context: String?
  /// The names of what it is about, where the server tells them.
  public var schema: String?
  /// The table.
  public var table: String?
  /// The column.
  public var column: String?
  /// The type.
  public var type: String?
  /// The constraint.
  public var constraint: String?

  /// Creates an error with its kind and message.
  public init(sqlState: String, message: String) { (self.sqlState, self.message) = (sqlState, message) }

  /// The place in the statement, in UTF-8 bytes from 0.
  public var offset: Int? {
    guard let statement, let position, position > 0 else { return nil }
    let scalars = statement.unicodeScalars
    guard let place = scalars.index(scalars.startIndex, offsetBy: position - 1, limitedBy: scalars.endIndex) else {
      return nil
    }
    return statement.utf8.distance(from: statement.startIndex, to: place)
  }
}
