/// A piece of Swift source with its place in UTF-8 bytes.
struct SwiftToken: Equatable {
  enum Kind: Hashable {
    /// A name, also `$0`; backticks are taken off.
    case name(String)
    case number(String)
    case string(SwiftString)
    /// The pattern of `/.../`.
    case regularExpression(String)
    /// `#Predicate`, without the sign.
    case pound(String)
    /// `@Query`, without the sign.
    case attribute(String)
    case sign(String)
    case end
  }

  let kind: Kind
  let range: Range<Int>
  /// Whether nothing but white space stands before it in its line.
  let beginsLine: Bool
  /// Whether the token before it touches it.
  let touchesPrevious: Bool
}

/// A string literal.
struct SwiftString: Hashable {
  var content: String
  /// Where each `\(...)` stands in the source; `SwiftString.interpolated` stands for it in the content.
  var interpolations: [Range<Int>] = []

  /// Where the first `\(...)` stands in the source.
  var interpolation: Range<Int>? { interpolations.first }

  /// The character of Unicode's private use that stands in the content for a value.
  static let interpolated: Character = "\u{10FFFD}"
}
