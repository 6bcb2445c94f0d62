/// The words of one database's SQL.
public struct SQLDialect: Sendable {
  /// How statements begin.
  public var statements: [String]
  /// The words within statements.
  public var keywords: [String]
  /// The words that can follow one word, such as `INTO` behind `INSERT`.
  public var followers: [String: [String]]
  /// Whether LIKE ignores the case of letters.
  public var likeIgnoresCase: Bool
  /// Writes a name as the database reads it: in quotes only where it must be.
  public var quote: @Sendable (String) -> String

  /// Creates a dialect.
  public init(
    statements: [String], keywords: [String], followers: [String: [String]], likeIgnoresCase: Bool,
    quote: @escaping @Sendable (String) -> String
  ) {
    (self.statements, self.keywords, self.followers) = (statements, keywords, followers)
    (self.likeIgnoresCase, self.quote) = (likeIgnoresCase, quote)
  }
}
