/// A range of the text from which a tree was parsed, in UTF-8 bytes.
///
/// All origins are equal, so that trees are compared by meaning.
public struct Origin: Hashable, Sendable {
  /// The whole text.
  public let text: String
  /// Offsets into its UTF-8.
  public let range: Range<Int>

  /// Creates an origin with the range in UTF-8 bytes of `text`.
  public init(text: String, range: Range<Int>) {
    self.text = text
    self.range = range
  }

  /// Always true.
  public static func == (left: Origin, right: Origin) -> Bool { true }
  /// Hashes nothing.
  public func hash(into hasher: inout Hasher) {}
}
