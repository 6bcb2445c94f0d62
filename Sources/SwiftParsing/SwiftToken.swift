/// A piece of Swift source with its place in UTF-8 bytes.
package struct SwiftToken: Equatable {
  package enum Kind: Hashable {
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

  package let kind: Kind
  package let range: Range<Int>
  /// Whether nothing but white space stands before it in its line.
  package let beginsLine: Bool
  /// Whether the token before it touches it.
  package let touchesPrevious: Bool
}

/// A string literal.
package struct SwiftString: Hashable {
  package var content: String
  /// Where each `\(...)` stands in the source; `SwiftString.interpolated` stands for it in the content.
  package var interpolations: [Range<Int>] = []

  /// Where the first `\(...)` stands in the source.
  package var interpolation: Range<Int>? { interpolations.first }

  /// The character of Unicode's private use that stands in the content for a value.
  package static let interpolated: Character = "\u{10FFFD}"
}
