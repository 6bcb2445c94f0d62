/// Where something stands in the text it was read from, in UTF-8 bytes.
///
/// Equal to any other origin: trees are compared by what they mean.
public struct Origin: Hashable, Sendable {
  /// The whole text.
  public let text: String
  /// Offsets into its UTF-8.
  public let range: Range<Int>

  /// Marks `range`, in UTF-8 bytes, of `text`.
  public init(text: String, range: Range<Int>) {
    self.text = text
    self.range = range
  }

  /// Always true.
  public static func == (left: Origin, right: Origin) -> Bool { true }
  /// Hashes nothing.
  public func hash(into hasher: inout Hasher) {}
}
