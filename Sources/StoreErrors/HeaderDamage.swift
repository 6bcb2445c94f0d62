/// Bytes at the beginning of a database file that no database has there.
public struct HeaderDamage: Hashable, Sendable {
  /// Where they are.
  public let range: Range<Int>
  /// What should be there, in words.
  public let expected: String
  /// What is there.
  public let found: String

  package init(_ range: Range<Int>, expected: String, found: String) {
    (self.range, self.expected, self.found) = (range, expected, found)
  }
}
