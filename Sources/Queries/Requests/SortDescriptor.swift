/// A sort key of results.
public struct SortDescriptor: Hashable, Sendable {
  /// The expression to compare; usually a path.
  public var expression: Expression
  /// Whether the smallest value comes first; nil is smaller than every value.
  public var isAscending: Bool
  /// How text is compared.
  public var comparator: StringComparator

  /// How strings are compared.
  public enum StringComparator: String, CaseIterable, Hashable, Sendable {
    case binary
    case caseInsensitive
    case localized
    /// A natural order for names: numbers within text by value; always in one fixed locale.
    case standard
  }

  /// Creates a sort key for `expression`.
  public init(_ expression: Expression, ascending: Bool = true, comparator: StringComparator = .binary) {
    self.expression = expression
    isAscending = ascending
    self.comparator = comparator
  }

  /// Creates a sort key for a dotted path; a leading `-` means descending.
  public init(_ text: String) {
    let reversed = text.hasPrefix("-")
    let path = reversed ? String(text.dropFirst()) : text
    let origin = Origin(text: text, range: (reversed ? 1 : 0)..<text.utf8.count)
    self.init(.path(PropertyPath(PropertyPath(dotted: path).components, origin: origin)), ascending: !reversed)
  }
}
